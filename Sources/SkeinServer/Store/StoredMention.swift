import SkeinStorage
import SkeinWire

/// A mention of a user in a message, counted in the user's unread mentions.
struct StoredMention: Mapped {
  let conversation: ConversationID
  let user: Wire.UserID
  let position: Int64

  static let table = Table(
    "mention", key: ["conversation", "user", "position"],
    clusteredBy: ["conversation", "user", "position"], Self.init,
    Column("conversation", \.conversation), Column("user", \.user), Column("position", \.position))
}

extension WriteTransaction {
  /// Stores a mention for each member that a countable message mentions, except the message's sender.
  func insertMentions(_ mentions: Wire.Mentions, of message: StoredMessage) throws {
    let members = try members(of: message.conversation).filter { $0 != message.sender }
    let named = Set(mentions.users ?? [])
    for user in members where mentions.everyone == true || named.contains(user) {
      try insert(
        StoredMention(conversation: message.conversation, user: user, position: message.position))
    }
  }

  /// Removes the mentions of a recalled message.
  func deleteMentions(of message: StoredMessage) throws {
    _ = try execute(
      "DELETE FROM mention WHERE conversation = ? AND position = ?", message.conversation, message.position)
  }
}

extension ReadTransaction {
  /// Returns the number of countable messages after `mark`, up to `head`, that mention a user.
  func mentions(
    of user: Wire.UserID, in conversation: ConversationID, after mark: Int64, to head: Int64
  ) throws -> Int64 {
    try scalar(
      Int64.self,
      "SELECT count(*) FROM mention WHERE conversation = ? AND user = ? AND position > ? AND position <= ?",
      conversation, user, mark, head) ?? 0
  }
}
