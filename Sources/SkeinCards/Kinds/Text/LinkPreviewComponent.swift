public import Skein

/// The preview of a text's first link, as the sender supplied it.
public struct LinkPreviewComponent: CardComponent {
  /// Unique within the card.
  public let id: ComponentID
  /// The preview of the page.
  public let preview: LinkPreview

  /// Makes the component of a preview.
  public init(_ preview: LinkPreview, id: ComponentID = "preview") {
    self.id = id
    self.preview = preview
  }

  /// The page's title.
  public var displayedText: String { preview.title }
}
