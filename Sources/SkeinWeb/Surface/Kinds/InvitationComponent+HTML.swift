import Skein
public import SkeinCards

extension InvitationComponent: HTMLComponent {
  /// The title, the time, the place, and a button.
  public func html(on surface: HTMLSurface) -> HTML {
    HTML(.div, [.class("column")]) {
      HTML(.strong, [.ownDirection]) { HTML("📅 \(title)") }
      if let begins {
        HTML(.time, [.class("size"), .data("time", String(begins.rawValue)), .data("form", "full")])
      }
      if let place { HTML(.span, [.class("size"), .ownDirection]) { HTML(place) } }
      for action in actions { surface.button(action, of: id) }
    }
  }
}

extension TopicComponent: HTMLComponent {
  /// The title, the summary, and a button.
  public func html(on surface: HTMLSurface) -> HTML {
    HTML(.div, [.class("column")]) {
      HTML(.strong, [.ownDirection]) { HTML("# \(title)") }
      if let summary { HTML(.span, [.ownDirection]) { HTML(summary) } }
      for action in actions { surface.button(action, of: id) }
    }
  }
}
