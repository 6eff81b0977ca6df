#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinStorage

/// The state of a message that is not stored here and was edited, recalled, reacted to or pinned.
///
/// A page requested earlier may contain an older state of the message; while pinned, the message is listed among the
/// pinned ones.
struct AbsentMessageRow: Mapped, Equatable {
  let conversation: ConversationID
  let serverID: ServerMessageID
  let revision: Int64
  let kind: MessageKind
  let payload: Data
  let edited: Timestamp?
  let reactions: Data?
  let parameters: Data?
  let pinned: Timestamp?
  /// Shown while the message is pinned, with its ids and its time.
  let sender: UserID
  let messageID: MessageID?
  let time: Timestamp

  static let table = Table(
    "revised", key: ["conversation", "server_id"], clusteredBy: ["conversation", "server_id"],
    Self.init, Column("conversation", \.conversation), Column("server_id", \.serverID),
    Column("revision", \.revision), Column("kind", \.kind), Column("payload", \.payload),
    Column("edited", \.edited), Column("reactions", \.reactions), Column("parameters", \.parameters),
    Column("pinned", \.pinned), Column("sender", \.sender), Column("message_id", \.messageID),
    Column("time", \.time))
}

// In an extension, to keep the memberwise initializer, which the table uses to create rows.
extension AbsentMessageRow {
  init(_ message: IncomingMessage, as name: ServerMessageID, in conversation: ConversationID) {
    let state = MessageState(message)
    self.init(
      conversation: conversation, serverID: name, revision: state.revision, kind: state.kind,
      payload: state.payload, edited: state.edited, reactions: state.reactions,
      parameters: state.parameters, pinned: state.pinned, sender: message.sender,
      messageID: message.messageID, time: message.time)
  }

  var state: MessageState {
    MessageState(
      kind: kind, payload: payload, parameters: parameters, edited: edited, reactions: reactions,
      pinned: pinned, revision: revision)
  }
}
