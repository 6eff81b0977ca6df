#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinStorage

/// One entry of the outbox: what is to be done on the server, with all that a retry after a restart needs.
struct OperationRow: Mapped, Equatable {
  /// What is to be done.
  enum Kind: String, ColumnValue {
    /// Open the conversation on the server.
    case open
    /// Post a message.
    case send
  }

  let id: OperationID
  let conversation: ConversationID
  let kind: Kind
  /// The message that is to be posted.
  let message: LocalMessageID?
  /// What the operation needs beside the message: the conversation request as JSON.
  let parameters: Data?
  /// Whether the message's attachments still have to be uploaded.
  var needsPreparation: Bool
  /// How often it was tried. From the first attempt on, the message's bytes are frozen.
  var attempts: Int
  /// Whether the last attempt may have reached the server.
  var outcomeIsUnknown: Bool
  let queued: Timestamp

  static let table = Table(
    "operation", key: ["id"], indexes: [Index(["conversation"]), Index(["message"])],
    Self.init, Column("id", \.id), Column("conversation", \.conversation), Column("kind", \.kind),
    Column("message", \.message), Column("parameters", \.parameters),
    Column("needs_preparation", \.needsPreparation), Column("attempts", \.attempts),
    Column("outcome_is_unknown", \.outcomeIsUnknown), Column("queued", \.queued))
}
