import Skein

/// A moment as it stands: on its own, or above what is said to it.
public struct MomentComponent: CardComponent {
  /// Names it within its card.
  public let id: ComponentID = "moment"
  /// The moment.
  public let moment: MomentContent
  /// Who of the chat likes it; nil where it stands above what is said to it, and can't be liked.
  public let likes: Likes?

  /// Who likes a moment.
  public struct Likes: Sendable, Hashable {
    /// How many people of the chat do.
    public let count: Int
    /// Whether this account is one of them.
    public let isOwn: Bool
  }

  init(_ moment: MomentContent, likes: Likes?) { (self.moment, self.likes) = (moment, likes) }

  /// Who posted what.
  public var displayedText: String { "\(moment.author): \(moment.text)" }
  /// To like it, once.
  public var actions: [CardAction] {
    likes.map {
      [CardAction(MomentPlugin.like, title: $0.isOwn ? "You like this" : "Like", isEnabled: !$0.isOwn)]
    } ?? []
  }
}
