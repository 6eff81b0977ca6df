public import Skein

/// Counts who of a chat likes which moment, of the messages that the chat's window holds.
public final class MomentPlugin: MessageCardPlugin {
  /// `moments`.
  public static let business = "moments"
  /// Moments, likes of them, and what is said to them.
  public static let kinds: [MessageKind] = [
    MomentContent.kind, MomentLikeContent.kind, MomentCommentContent.kind,
  ]
  /// Sends a like.
  public static let like: CardAction.Name = "like"

  private let context: MessageCardContext

  /// Begins its work in one chat.
  public init(_ context: MessageCardContext) { self.context = context }

  /// The moment with its likes, above what is said to it; or the like in a line, after which the moment is drawn anew.
  public func components(of message: ChatMessage) -> [any CardComponent] {
    if let moment = message.content.as(MomentContent.self) { return [component(of: moment)] }
    if let comment = message.content.as(MomentCommentContent.self) {
      return [component(of: comment.moment), TextComponent(comment.text)]
    }
    guard let like = message.content.as(MomentLikeContent.self) else { return [] }
    context.reload(context.messages.filter { Self.moment(of: $0)?.moment == like.moment }.map(\.id))
    return [NoticeComponent("♥ \(message.isOwn ? "You like" : "\(message.sender) likes") a moment")]
  }

  /// Likes the moment.
  public func perform(_ action: CardAction.Name, _ value: String?, on message: ChatMessage) async throws {
    guard action == Self.like, let moment = Self.moment(of: message) else { return }
    try await context.send(MomentLikeContent(moment.moment))
  }

  private static func moment(of message: ChatMessage) -> MomentContent? {
    message.content.as(MomentContent.self) ?? message.content.as(MomentCommentContent.self)?.moment
  }

  private func component(of moment: MomentContent) -> MomentComponent {
    let likes = context.messages.filter { $0.content.as(MomentLikeContent.self)?.moment == moment.moment }
    return MomentComponent(
      moment, likes: Set(likes.map(\.sender)).count, isLiked: likes.contains(where: \.isOwn))
  }
}
