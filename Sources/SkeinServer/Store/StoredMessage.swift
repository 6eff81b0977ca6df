import SkeinStorage
import SkeinWire

/// A message. The table keeps the messages of a conversation together, in the order of their positions.
struct StoredMessage: Mapped {
  let conversation: ConversationID
  let position: Int64
  let id: Wire.MessageID
  let sender: Wire.UserID
  let time: Int64
  var kind: String
  var content: String
  let change: Int64
  /// The parameters as JSON with sorted keys; nil if there are none.
  var parameters: String?
  /// The number of edits, recalls, reactions and pins. The removal of a reaction or pin counts as well.
  var revision: Int64 = 0
  /// When the sender last edited the message; nil if the message was never edited.
  var edited: Int64?
  /// The reactions in their wire form, as JSON; nil if there are none.
  var reactions: String?
  /// When the message was pinned; nil if the message is not pinned.
  var pinned: Int64?
  /// The change that last revised the message; nil if there is none. Stars do not count.
  var revised: Int64?
  /// The position of the message that this message replies to; nil if this message is not a reply.
  var replyTo: Int64?
  /// The mentions in their wire form, as JSON; nil if there are none.
  var mentions: String?
  /// Whether the message counts as unread.
  var isCountable = true

  static let table = Table(
    "message", key: ["conversation", "position"], clusteredBy: ["conversation", "position"],
    indexes: [
      Index(["conversation", "sender", "id"], unique: true), Index(["conversation", "change"]),
      Index(["conversation", "time"]), Index(["conversation", "revised"], where: "revised IS NOT NULL"),
      Index(["conversation", "pinned"], where: "pinned IS NOT NULL"),
    ], Self.init,
    Column("conversation", \.conversation), Column("position", \.position), Column("id", \.id),
    Column("sender", \.sender), Column("time", \.time), Column("kind", \.kind), Column("content", \.content),
    Column("change", \.change), Column("parameters", \.parameters), Column("revision", \.revision),
    Column("edited", \.edited), Column("reactions", \.reactions), Column("pinned", \.pinned),
    Column("revised", \.revised), Column("reply_to", \.replyTo), Column("mentions", \.mentions),
    Column("is_countable", \.isCountable))

  /// The third version of the database added parameters.
  static let migration = Migration(to: 3, "parameters of messages") { rows in
    try rows.execute("ALTER TABLE message ADD COLUMN parameters TEXT")
  }

  /// The sixth version of the database added pins.
  static let pins = Migration(to: 6, "pins") { rows in
    try rows.execute("ALTER TABLE message ADD COLUMN pinned INTEGER")
    try rows.execute(
      "CREATE INDEX message_conversation_pinned_partial ON message (conversation, pinned) WHERE pinned IS NOT NULL"
    )
  }

  /// The seventh version of the database added messages that do not count as unread.
  static let countability = Migration(to: 7, "messages that do not count") { rows in
    try rows.execute("ALTER TABLE message ADD COLUMN is_countable INTEGER NOT NULL DEFAULT 1")
  }

  /// The size that counts towards a page, in bytes: content, parameters, reactions and mentions.
  var size: Int { content.utf8.count + otherBytes + (reactions?.utf8.count ?? 0) }

  /// The size in a sync, in bytes: ``size`` with an estimate of the other fields, and the longest quote for a reply. Escaping
  /// may multiply it.
  var syncedSize: Int { size + 400 + (replyTo == nil ? 0 : 2_400) }

  /// The size of the parameters and mentions, which counts towards the limit of a message's content, in bytes.
  var otherBytes: Int { [parameters, mentions].reduce(0) { $0 + ($1?.utf8.count ?? 0) } }
}

extension ReadTransaction {
  /// Returns the message with this sender and id in a conversation; nil if there is none.
  func message(_ name: Wire.MessageName, in conversation: ConversationID) throws -> StoredMessage? {
    try first(
      StoredMessage.self, "WHERE conversation = ? AND sender = ? AND id = ?", conversation, name.sender,
      name.id)
  }

  /// Returns the messages between two positions, both included, ascending.
  func messages(
    of conversation: ConversationID, from first: Int64, to last: Int64
  ) throws -> [StoredMessage] {
    try select(
      StoredMessage.self, "WHERE conversation = ? AND position BETWEEN ? AND ? ORDER BY position",
      conversation, first, last)
  }

  /// Returns the position of the earliest message at or after a time; nil if there is none. This query orders
  /// messages by time, not by position, since the clock may have gone back.
  func position(in conversation: ConversationID, since time: Int64) throws -> Int64? {
    try scalar(
      Int64.self,
      "SELECT position FROM message WHERE conversation = ? AND time >= ? ORDER BY time, position LIMIT 1",
      conversation, time)
  }

  /// Returns the newest position of a conversation at the time of a change; 0 if there was no message.
  func position(in conversation: ConversationID, asOf change: Int64) throws -> Int64 {
    try scalar(
      Int64.self,
      "SELECT position FROM message WHERE conversation = ? AND change <= ? ORDER BY change DESC LIMIT 1",
      conversation, change) ?? 0
  }

  /// Returns the number of countable messages by others after a user's read mark, up to `head`.
  func unread(
    in conversation: ConversationID, after mark: Int64, to head: Int64, by user: Wire.UserID
  ) throws -> Int64 {
    try scalar(
      Int64.self,
      """
      SELECT count(*) FROM message
      WHERE conversation = ? AND position > ? AND position <= ? AND sender <> ? AND is_countable = 1
      """, conversation, mark, head, user) ?? 0
  }
}
