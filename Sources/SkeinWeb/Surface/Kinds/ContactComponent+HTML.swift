import Skein
public import SkeinCards

extension ContactComponent: HTMLComponent {
  /// The avatar, the name, the user's id if it differs from the name, and a button.
  public func html(on surface: HTMLSurface) -> HTML {
    HTML(.div, [.class("column")]) {
      HTML(.div, [.class("contact")]) {
        Avatar.html(of: name)
        HTML(.strong, [.ownDirection]) { HTML(name) }
        if name != user.rawValue { HTML(.span, [.class("size"), .ownDirection]) { HTML(user.rawValue) } }
      }
      for action in actions { surface.button(action, of: id) }
    }
  }
}
