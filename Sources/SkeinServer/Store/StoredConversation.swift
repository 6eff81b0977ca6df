import SkeinStorage
import SkeinWire

/// A conversation's number. The number is random, so that a client can neither count the conversations nor guess an id.
struct ConversationID: RawRepresentable, ColumnValue, Hashable {
  /// 1 or more in a stored conversation.
  let rawValue: Int64

  init(rawValue: Int64) { self.rawValue = rawValue }

  /// Returns a new number.
  static func random() -> ConversationID { ConversationID(rawValue: .random(in: 1...(.max))) }

  /// Converts the wire form; nil unless the wire form is 16 lower-case hexadecimal digits with a value below
  /// 2⁶³.
  init?(_ wire: Wire.ConversationID) {
    guard wire.rawValue.utf8.count == 16, wire.rawValue.utf8.allSatisfy(Hexadecimal.isLowerDigit),
      let number = Int64(wire.rawValue, radix: 16)
    else { return nil }
    rawValue = number
  }

  /// The wire form: 16 hexadecimal digits.
  var wire: Wire.ConversationID {
    Wire.ConversationID(
      rawValue: Hexadecimal.text((0..<8).map { UInt8(truncatingIfNeeded: rawValue >> (56 - 8 * $0)) }))
  }
}

/// A conversation.
struct StoredConversation: Mapped {
  let id: ConversationID
  let kind: Wire.ConversationKind
  let title: String?
  /// The key that makes opening idempotent: the two users, or the creator and the creator's id for the group.
  let alias: String
  /// The newest message's position; 0 if there is no message.
  let head: Int64
  /// The newest change of the conversation's messages. Before the first message, the change that created the
  /// conversation.
  let change: Int64
  /// The newest change of a member's receipts.
  var receipts: Int64 = 0

  static let table = Table(
    "conversation", key: ["id"], indexes: [Index(["alias"], unique: true)], Self.init,
    Column("id", \.id), Column("kind", \.kind), Column("title", \.title), Column("alias", \.alias),
    Column("head", \.head), Column("change", \.change), Column("receipts", \.receipts))
}

/// A member of a conversation, with read mark, receipts and settings.
struct StoredMember: Mapped {
  let user: Wire.UserID
  let conversation: ConversationID
  var readPosition: Int64
  /// The newest change of the read mark, the settings, the list of members or the user's stars, or the change that last
  /// added or restored the contact of a direct conversation. Deliveries do not count.
  var change: Int64
  /// The last position delivered to one of the user's devices.
  var delivered: Int64 = 0
  var isMuted = false
  var isPinned = false
  var isMarkedUnread = false

  static let table = Table(
    "member", key: ["user", "conversation"], clusteredBy: ["user", "conversation"],
    indexes: [Index(["conversation", "user"], unique: true)], Self.init,
    Column("user", \.user), Column("conversation", \.conversation), Column("read_position", \.readPosition),
    Column("change", \.change), Column("delivered", \.delivered), Column("is_muted", \.isMuted),
    Column("is_pinned", \.isPinned), Column("is_marked_unread", \.isMarkedUnread))

  /// The ninth version of the database added the settings.
  static let settings = Migration(to: 9, "settings of conversations") { rows in
    for column in ["is_muted", "is_pinned", "is_marked_unread"] {
      try rows.execute("ALTER TABLE member ADD COLUMN \(column) INTEGER NOT NULL DEFAULT 0")
    }
  }
}

extension ReadTransaction {
  /// Returns a conversation and the user's membership in it; throws a 404 for a user who is not a member.
  func membership(
    _ user: Wire.UserID, in id: ConversationID
  ) throws -> (conversation: StoredConversation, member: StoredMember) {
    guard let member = try find(StoredMember.self, user, id),
      let conversation = try find(StoredConversation.self, id)
    else { throw Refusal.notFound }
    return (conversation, member)
  }

  /// Returns the members of a conversation, sorted.
  func members(of id: ConversationID) throws -> [Wire.UserID] {
    try rows(Wire.UserID.self, "SELECT user FROM member WHERE conversation = ? ORDER BY user", id)
  }
}
