public import Skein

/// What a text's first link leads to, by its sender's word.
public struct LinkPreviewComponent: CardComponent {
  /// Names it within its card.
  public let id: ComponentID
  /// What is known of the page.
  public let preview: LinkPreview

  /// Shows what is known of a page.
  public init(_ preview: LinkPreview, id: ComponentID = "preview") {
    self.id = id
    self.preview = preview
  }

  /// The page's title.
  public var displayedText: String { preview.title }
}
