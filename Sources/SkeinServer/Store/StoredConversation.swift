import SkeinStorage
import SkeinWire

/// A conversation in the database: random, so that nobody can count them or guess one.
struct ConversationID: RawRepresentable, ColumnValue, Hashable {
  /// 1 or more.
  let rawValue: Int64

  init(rawValue: Int64) { self.rawValue = rawValue }

  /// A new one.
  static func random() -> ConversationID { ConversationID(rawValue: .random(in: 1...(.max))) }

  /// The id that clients know; nil if the server can't have made it.
  init?(_ wire: Wire.ConversationID) {
    guard wire.rawValue.utf8.count == 16, wire.rawValue.utf8.allSatisfy(Hexadecimal.isLowerDigit),
      let number = Int64(wire.rawValue, radix: 16)
    else { return nil }
    rawValue = number
  }

  /// As clients know it: 16 hexadecimal digits.
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
  /// What finds it again when it is asked for twice: the pair, or the creator and the creator's id for it.
  let alias: String
  /// The newest message's position, 0 if there is none.
  let head: Int64
  /// The newest message's change, or the conversation's own.
  let change: Int64
  /// The newest change of how far one of its members is.
  var receipts: Int64 = 0

  static let table = Table(
    "conversation", key: ["id"], indexes: [Index(["alias"], unique: true)], Self.init,
    Column("id", \.id), Column("kind", \.kind), Column("title", \.title), Column("alias", \.alias),
    Column("head", \.head), Column("change", \.change), Column("receipts", \.receipts))
}

/// A user's place in a conversation.
struct StoredMember: Mapped {
  let user: Wire.UserID
  let conversation: ConversationID
  let readPosition: Int64
  /// The newest change of this row.
  let change: Int64
  /// The last position that is on one of the user's devices.
  var delivered: Int64 = 0

  static let table = Table(
    "member", key: ["user", "conversation"], clusteredBy: ["user", "conversation"],
    indexes: [Index(["conversation", "user"], unique: true)], Self.init,
    Column("user", \.user), Column("conversation", \.conversation), Column("read_position", \.readPosition),
    Column("change", \.change), Column("delivered", \.delivered))
}
