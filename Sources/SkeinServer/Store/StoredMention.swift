import SkeinStorage
import SkeinWire

/// A message that calls a user, so that it is counted for them.
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
  /// Has those whom a message calls counted for them: members but its sender, each once.
  func call(_ mentions: Wire.Mentions, by message: StoredMessage) throws {
    let members = try members(of: message.conversation).filter { $0 != message.sender }
    let named = Set(mentions.users ?? [])
    for user in members where mentions.everyone == true || named.contains(user) {
      try insert(
        StoredMention(conversation: message.conversation, user: user, position: message.position))
    }
  }

  /// A message that was recalled calls nobody any more.
  func callNobody(by message: StoredMessage) throws {
    _ = try execute(
      "DELETE FROM mention WHERE conversation = ? AND position = ?", message.conversation, message.position)
  }
}

extension ReadTransaction {
  /// How many messages between two positions call a user.
  func mentions(
    of user: Wire.UserID, in conversation: ConversationID, after mark: Int64, to head: Int64
  ) throws -> Int64 {
    try scalar(
      Int64.self,
      "SELECT count(*) FROM mention WHERE conversation = ? AND user = ? AND position > ? AND position <= ?",
      conversation, user, mark, head) ?? 0
  }
}
