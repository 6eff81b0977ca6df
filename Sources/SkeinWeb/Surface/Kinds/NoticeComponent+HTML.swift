public import SkeinCards

extension NoticeComponent: HTMLComponent {
  /// The line.
  public func html(on surface: HTMLSurface) -> HTML {
    HTML(.p, [.class("text"), .ownDirection]) { HTML(displayedText) }
  }
}
