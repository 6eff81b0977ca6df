import Synchronization
public import Skein

/// Draws moments, and counts their likes among the messages in the chat's window.
public final class MomentPlugin: MessageFollowingPlugin {
  /// `moments`.
  public static let business = "moments"
  /// Moments, likes and comments.
  public static let kinds: [MessageKind] = [
    MomentContent.kind, MomentLikeContent.kind, MomentCommentContent.kind,
  ]
  /// Sends a like.
  public static let like: CardAction.Name = "like"

  private let context: MessageCardContext
  private let likes = Mutex<[MomentContent.ID: MomentComponent.Likes]>([:])

  /// Makes the plugin of one chat.
  public init(_ context: MessageCardContext) { self.context = context }

  /// Returns a moment with its likes, a comment below its moment, or a like as a notice.
  public func components(of message: ChatMessage) -> [any CardComponent] {
    if let moment = message.content.as(MomentContent.self) {
      let likes = likes.withLock { $0[moment.moment] }
      return [MomentComponent(moment, likes: likes ?? MomentComponent.Likes(count: 0, isOwn: false))]
    }
    if let comment = message.content.as(MomentCommentContent.self) {
      return [MomentComponent(comment.moment, likes: nil), TextComponent(comment.text)]
    }
    guard message.content.as(MomentLikeContent.self) != nil else { return [] }
    return [NoticeComponent("♥ \(message.isOwn ? "You like" : "\(message.sender) likes") a moment")]
  }

  /// Sends a like of the moment.
  public func perform(_ action: CardAction.Name, _ value: String?, on message: ChatMessage) async throws {
    guard action == Self.like, let moment = message.content.as(MomentContent.self) else { return }
    try await context.send(MomentLikeContent(moment.moment))
  }

  /// Counts the likes among the messages, and reloads the moments whose likes have changed.
  public func follow(_ messages: [ChatMessage]) {
    var users: [MomentContent.ID: Set<UserID>] = [:]
    var own: Set<MomentContent.ID> = []
    for message in messages {
      guard let moment = message.content.as(MomentLikeContent.self)?.moment else { continue }
      users[moment, default: []].insert(message.sender)
      if message.isOwn { own.insert(moment) }
    }
    let now = users.reduce(into: [:]) { now, entry in
      now[entry.key] = MomentComponent.Likes(count: entry.value.count, isOwn: own.contains(entry.key))
    }
    let changed = likes.withLock { likes in
      defer { likes = now }
      return messages.filter { message in
        message.content.as(MomentContent.self).map { now[$0.moment] != likes[$0.moment] } ?? false
      }
    }
    context.reload(changed.map(\.id))
  }
}
