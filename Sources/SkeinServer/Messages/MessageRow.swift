import SkeinStorage
import SkeinWire

/// A message, next to its neighbours on the disk.
struct MessageRow: Mapped {
  let conversation: ConversationID
  let position: Int64
  let id: Wire.MessageID
  let sender: Wire.UserID
  let time: Int64
  let kind: String
  let content: String
  let change: Int64
  /// As they were posted, as JSON with sorted keys; nil where there are none.
  let parameters: String?

  static let table = Table(
    "message", key: ["conversation", "position"], clusteredBy: ["conversation", "position"],
    indexes: [
      Index(["conversation", "sender", "id"], unique: true), Index(["conversation", "change"]),
      Index(["conversation", "time"]),
    ], Self.init,
    Column("conversation", \.conversation), Column("position", \.position), Column("id", \.id),
    Column("sender", \.sender), Column("time", \.time), Column("kind", \.kind), Column("content", \.content),
    Column("change", \.change), Column("parameters", \.parameters))

  /// The third version of the database brought what apps tell beside a content.
  static let migration = Migration(to: 3, "parameters of messages") { rows in
    try rows.execute("ALTER TABLE message ADD COLUMN parameters TEXT")
  }

  /// What it takes of a page: the bytes that its sender chose.
  var size: Int { content.utf8.count + (parameters?.utf8.count ?? 0) }

  /// Conversation and position: as unique as the two are, so it needs no column.
  private var serverID: Wire.ServerID { Wire.ServerID(rawValue: "\(conversation.wire).\(position)") }

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
  var wire: Wire.Message {
    Wire.Message(
      id: id, serverID: serverID, conversation: conversation.wire, position: position, sender: sender,
      time: time, kind: kind, content: content,
      parameters: parameters.flatMap { try? Wire.decode([String: String].self, from: Array($0.utf8)) } ?? [:])
  }

  /// What its sender gets.
  func receipt(in epoch: Wire.Epoch) -> Wire.MessageReceipt {
    Wire.MessageReceipt(id: id, serverID: serverID, position: position, time: time, epoch: epoch)
  }
}
