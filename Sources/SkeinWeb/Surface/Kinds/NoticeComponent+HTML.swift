public import SkeinCards

extension NoticeComponent: HTMLComponent {
  /// The notice as one paragraph.
  public func html(on surface: HTMLSurface) -> HTML {
    HTML(.p, [.class("text"), .ownDirection]) { HTML(displayedText) }
  }
}
