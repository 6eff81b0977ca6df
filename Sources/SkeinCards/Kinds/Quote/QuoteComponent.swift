public import Skein

/// The quoted message of a reply, shown above the reply's content.
public struct QuoteComponent: CardComponent {
  /// Unique within the card.
  public let id: ComponentID = "quote"
  /// The quoted message.
  public let quote: Quote

  /// Makes the component of a quote.
  public init(_ quote: Quote) { self.quote = quote }

  /// Sender and text of the quoted message, or a placeholder for the text if the quote has no content.
  public var displayedText: String {
    "\(quote.sender): \(quote.content?.displayedText ?? "a message that is not loaded")"
  }
}
