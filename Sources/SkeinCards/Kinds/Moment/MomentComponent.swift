import Skein

/// A moment, on its own or above a comment on it.
public struct MomentComponent: CardComponent {
  /// Unique within the card.
  public let id: ComponentID = "moment"
  /// The moment.
  public let moment: MomentContent
  /// The moment's likes in this chat; nil above a comment, where the moment can't be liked.
  public let likes: Likes?

  /// The likes of a moment.
  public struct Likes: Sendable, Hashable {
    /// The number of users whose likes of the moment are in the chat's window.
    public let count: Int
    /// Whether this account's user is one of these users.
    public let isOwn: Bool
  }

  init(_ moment: MomentContent, likes: Likes?) { (self.moment, self.likes) = (moment, likes) }

  /// Author and text.
  public var displayedText: String { "\(moment.author): \(moment.text)" }
  /// The like action, disabled if this account likes the moment already; no action above a comment.
  public var actions: [CardAction] {
    likes.map {
      [CardAction(MomentPlugin.like, title: $0.isOwn ? "You like this" : "Like", isEnabled: !$0.isOwn)]
    } ?? []
  }
}
