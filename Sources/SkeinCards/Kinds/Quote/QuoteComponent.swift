public import Skein

/// What a reply is to, above whatever it says.
public struct QuoteComponent: CardComponent {
  /// Names it within its card.
  public let id: ComponentID = "quote"
  /// The message that is replied to.
  public let quote: Quote

  /// Shows what is replied to.
  public init(_ quote: Quote) { self.quote = quote }

  /// Who said it, and what.
  public var displayedText: String {
    "\(quote.sender): \(quote.content?.displayedText ?? "a message that is not here")"
  }
}
