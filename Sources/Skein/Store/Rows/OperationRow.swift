#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinStorage

/// One entry of the outbox: an operation on the server, with all data that a retry after a restart needs.
struct OperationRow: Mapped, Equatable {
  /// The kind of operation.
  enum Kind: String, ColumnValue {
    /// Open the conversation on the server.
    case open
    /// Hold all other operations of the conversation until the user has accepted the invitation to it.
    case hold
    /// Post a message.
    case send
    /// Post an uncertain message that the user sends again. A failure of this operation does not show whether
    /// an earlier operation has posted the message.
    case resend
    /// Post a message with the content of another message, once the other message is sent.
    case forward
    /// Leave a group.
    case leave
    /// Edit, recall, react to or flag a message, once the server has the message.
    case revise
  }

  let id: OperationID
  let conversation: ConversationID
  let kind: Kind
  /// The message to post.
  let message: LocalMessageID?
  /// The operation's other data, as JSON: the conversation request, the names of the participants that have
  /// prepared the message, or the action.
  var parameters: Data?
  /// Whether the message still has to be prepared.
  var needsPreparation: Bool
  /// The number of attempts to post the message or to perform the action, without lookups.
  var attempts: Int
  /// Whether an attempt may have reached the server. While this is true, the message's bytes are fixed.
  var outcomeIsUnknown: Bool
  let queued: Timestamp
  /// The message that must be sent before this operation is carried out.
  var dependsOn: LocalMessageID? = nil
  /// Whether the message has attachments. The lane's policy decides whether other operations may pass this
  /// operation during the upload.
  var isMedia: Bool = false
  /// Whether the lane continues without this operation, because this operation failed repeatedly while other
  /// operations, uploads or fetches succeeded.
  var isParked: Bool = false
  /// The number of counted failures in a row. After the first, a failure counts only if something else
  /// succeeded since the last counted failure.
  var failures: Int = 0
  /// The total time for which the operation was tried while online, in milliseconds.
  var waited: Int64 = 0
  /// The message that an operation of kind `revise` changes.
  var target: LocalMessageID? = nil

  /// Whether the server may have the message.
  var mayHaveArrived: Bool { outcomeIsUnknown || kind == .resend }

  /// The participants that have prepared the message.
  var participantsDone: [String] {
    get { parameters.flatMap { try? JSONDecoder().decode([String].self, from: $0) } ?? [] }
    set { parameters = try? StoredJSON.encode(newValue) }
  }

  static let table = Table(
    "operation", key: ["id"],
    indexes: [
      Index(["conversation"]), Index(["message"]),
      Index(["depends_on"], where: "depends_on IS NOT NULL"),
      Index(["target"], where: "target IS NOT NULL"),
    ],
    Self.init, Column("id", \.id), Column("conversation", \.conversation), Column("kind", \.kind),
    Column("message", \.message), Column("parameters", \.parameters),
    Column("needs_preparation", \.needsPreparation), Column("attempts", \.attempts),
    Column("outcome_is_unknown", \.outcomeIsUnknown), Column("queued", \.queued),
    Column("depends_on", \.dependsOn), Column("is_media", \.isMedia), Column("is_parked", \.isParked),
    Column("failures", \.failures), Column("waited", \.waited), Column("target", \.target))
}
