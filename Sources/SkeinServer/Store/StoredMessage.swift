import SkeinStorage
import SkeinWire

/// A message, next to its neighbours on the disk.
struct StoredMessage: Mapped {
  let conversation: ConversationID
  let position: Int64
  let id: Wire.MessageID
  let sender: Wire.UserID
  let time: Int64
  var kind: String
  var content: String
  let change: Int64
  /// As they were posted, as JSON with sorted keys; nil where there are none.
  var parameters: String?
  /// How often it was edited, recalled, reacted to or pinned.
  var revision: Int64 = 0
  /// When its sender last edited it.
  var edited: Int64?
  /// As clients get them, as JSON; nil where there are none.
  var reactions: String?
  /// When it was pinned.
  var pinned: Int64?
  /// The change with which it was last revised.
  var revised: Int64?
  /// Where the message stands that it replies to.
  var replyTo: Int64?
  /// Whom it calls, as clients get it, as JSON; nil where nobody.
  var mentions: String?

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
    Column("revised", \.revised), Column("reply_to", \.replyTo), Column("mentions", \.mentions))

  /// The third version of the database brought what apps tell beside a content.
  static let migration = Migration(to: 3, "parameters of messages") { rows in
    try rows.execute("ALTER TABLE message ADD COLUMN parameters TEXT")
  }

  /// The sixth version of the database brought pins.
  static let pins = Migration(to: 6, "pins") { rows in
    try rows.execute("ALTER TABLE message ADD COLUMN pinned INTEGER")
    try rows.execute(
      "CREATE INDEX message_conversation_pinned_partial ON message (conversation, pinned) WHERE pinned IS NOT NULL"
    )
  }

  /// What it takes of a page: the bytes that its sender chose, and those who reacted.
  var size: Int {
    content.utf8.count
      + [parameters, reactions, mentions].reduce(0) { $0 + ($1?.utf8.count ?? 0) }
  }

  /// Who reacted to it; nil where nobody did.
  var wireReactions: [Wire.Reaction]? {
    reactions.flatMap { try? Wire.decode([Wire.Reaction].self, from: Array($0.utf8)) }
  }

  /// Conversation and position: as unique as the two are, so it needs no column.
  fileprivate var serverID: Wire.ServerID { Wire.ServerID(rawValue: "\(conversation.wire).\(position)") }

  /// Where a message stands that a client names; a 404 unless the conversation has it.
  static func position(of name: String, in conversation: ConversationID, head: Int64) throws -> Int64 {
    let start = "\(conversation.wire)."
    guard name.hasPrefix(start), let position = Int64(name.dropFirst(start.count)),
      (1...max(head, 1)).contains(position),
      head > 0
    else { throw Refusal.notFound }
    return position
  }

  /// The message as clients get it.
  func wire(quote: Wire.Quote? = nil) -> Wire.Message {
    Wire.Message(
      id: id, serverID: serverID, conversation: conversation.wire, position: position, sender: sender,
      time: time, kind: kind, content: content,
      parameters: parameters.flatMap { try? Wire.decode([String: String].self, from: Array($0.utf8)) } ?? [:],
      revision: revision, edited: edited, reactions: wireReactions, pinned: pinned, quote: quote,
      mentions: mentions.flatMap { try? Wire.decode(Wire.Mentions.self, from: Array($0.utf8)) })
  }

  /// The message as clients get it with a reply to it.
  fileprivate var quote: Wire.Quote {
    let isShort = content.utf8.count <= 2_000
    return Wire.Quote(
      id: id, serverID: serverID, sender: sender, kind: isShort ? kind : nil,
      content: isShort ? content : nil, revision: revision)
  }

  /// What its sender gets.
  func receipt(in epoch: Wire.Epoch) -> Wire.MessageReceipt {
    Wire.MessageReceipt(id: id, serverID: serverID, position: position, time: time, epoch: epoch)
  }
}

extension ReadTransaction {
  /// Messages as clients get them, replies with what they are to.
  func wire(_ rows: some Sequence<StoredMessage>) throws -> [Wire.Message] {
    try rows.map { row in
      let target = try row.replyTo.flatMap { try find(StoredMessage.self, row.conversation, $0) }
      // Nothing is left of what was recalled, and nothing of what that was a reply to.
      return row.wire(quote: row.kind == Revising.recalled ? nil : target?.quote)
    }
  }

  /// The message of a sender's name for it.
  func message(_ name: Wire.MessageName, in conversation: ConversationID) throws -> StoredMessage? {
    try first(
      StoredMessage.self, "WHERE conversation = ? AND sender = ? AND id = ?", conversation, name.sender,
      name.id)
  }
}
