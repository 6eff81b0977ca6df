import Skein

/// A moment as it stands: on its own, or above what is said to it.
public struct MomentComponent: CardComponent {
  /// Names it within its card.
  public let id: ComponentID = "moment"
  /// The moment.
  public let moment: MomentContent
  /// How many people of the chat like it.
  public let likes: Int
  /// Whether this account is one of them.
  public let isLiked: Bool

  init(_ moment: MomentContent, likes: Int, isLiked: Bool) {
    (self.moment, self.likes, self.isLiked) = (moment, likes, isLiked)
  }

  /// Who posted what.
  public var displayedText: String { "\(moment.author): \(moment.text)" }
  /// To like it, once.
  public var actions: [CardAction] {
    [CardAction(MomentPlugin.like, title: isLiked ? "You like this" : "Like", isEnabled: !isLiked)]
  }
}
