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
    /// Post a message.
    case send
    /// Post a message that its user retries although an earlier attempt may have arrived: the outcome of this
    /// operation's attempts does not determine that one's.
    case resend
    /// Post a message with the content of the message it depends on, once that is sent.
    case forward
    /// Leave a group.
    case leave
    /// Edit, recall, react to or pin a message that the server has.
    case revise
  }

  let id: OperationID
  let conversation: ConversationID
  let kind: Kind
  /// The message to post.
  let message: LocalMessageID?
  /// The operation's other data, as JSON: the conversation request, the names of the participants that have prepared
  /// the message, or the revision.
  var parameters: Data?
  /// Whether the message still has to be prepared.
  var needsPreparation: Bool
  /// The number of attempts. From the first attempt on, the message's bytes are fixed.
  var attempts: Int
  /// Whether the last attempt may have reached the server.
  var outcomeIsUnknown: Bool
  let queued: Timestamp
  /// The message that the server must have first.
  var dependsOn: LocalMessageID? = nil
  /// Whether the message has attachments: the lane may let others pass it during the upload.
  var isMedia: Bool = false
  /// Whether it failed repeatedly while others got through: the lane continues without it.
  var isParked: Bool = false
  /// The number of failures in a row while others got through.
  var failures: Int = 0
  /// How long the server has failed at it while there was a connection, in milliseconds.
  var waited: Int64 = 0
  /// The message that a revision changes.
  var target: LocalMessageID? = nil

  /// Whether the server may have the message.
  var mayHaveArrived: Bool { outcomeIsUnknown || kind == .resend }

  /// The participants that have prepared the message.
  var participantsDone: [String] {
    get { parameters.flatMap { try? JSONDecoder().decode([String].self, from: $0) } ?? [] }
    set { parameters = try? JSONEncoder().encode(newValue) }
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
