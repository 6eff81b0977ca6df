public import SkeinCards

extension NoticeComponent: HTMLComponent {
  /// The notice as one line.
  public func html(on surface: HTMLSurface) -> HTML {
    HTML(.p, [.class("text"), .ownDirection]) { HTML(displayedText) }
  }
}
