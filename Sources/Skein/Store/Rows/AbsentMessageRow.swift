#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinStorage

/// The state of a message that was edited, recalled, reacted to or flagged on the server. The message is not
/// stored here as a sent message of the current epoch.
///
/// If a page received later contains an older state of the message, this state replaces the older state. While
/// the message has a flag, the lists of flagged messages show the message from this row.
struct AbsentMessageRow: Mapped, Equatable {
  let conversation: ConversationID
  let serverID: ServerMessageID
  let revision: Int64
  let kind: MessageKind
  let payload: Data
  let edited: Timestamp?
  let reactions: Data?
  let parameters: Data?
  let flags: Data?
  /// The sender, the message id and the time are stored for the lists of flagged messages.
  let sender: UserID
  let messageID: MessageID?
  let time: Timestamp

  static let table = Table(
    "revised", key: ["conversation", "server_id"], clusteredBy: ["conversation", "server_id"],
    Self.init, Column("conversation", \.conversation), Column("server_id", \.serverID),
    Column("revision", \.revision), Column("kind", \.kind), Column("payload", \.payload),
    Column("edited", \.edited), Column("reactions", \.reactions), Column("parameters", \.parameters),
    Column("flags", \.flags), Column("sender", \.sender), Column("message_id", \.messageID),
    Column("time", \.time))
}

// In an extension, so that the struct keeps its memberwise initializer. The table creates rows with that
// initializer.
extension AbsentMessageRow {
  /// - Parameter known: the state that was kept before.
  init(
    _ message: IncomingMessage, was known: MessageState?, as name: ServerMessageID,
    in conversation: ConversationID
  ) {
    let state = MessageState(message, was: known)
    self.init(
      conversation: conversation, serverID: name, revision: state.revision, kind: state.kind,
      payload: state.payload, edited: state.edited, reactions: state.reactions,
      parameters: state.parameters, flags: state.flags, sender: message.sender,
      messageID: message.messageID, time: message.time)
  }

  var state: MessageState {
    MessageState(
      kind: kind, payload: payload, parameters: parameters, edited: edited, reactions: reactions,
      flags: flags, revision: revision)
  }
}
