#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
public import SkeinStorage

/// A message as it is stored.
struct MessageRow: Mapped, Equatable {
  let id: LocalMessageID
  var conversation: ConversationID
  var rank: Rank
  var serverID: ServerMessageID?
  var messageID: MessageID
  var sender: UserID
  var position: Position?
  /// The life of the server's history that `position` belongs to, or that it was last posted in.
  var epoch: Epoch?
  var time: Timestamp
  var status: MessageStatus
  var kind: MessageKind
  var payload: Data
  /// The server's count of changes; older never goes over newer.
  var revision: Int64
  /// The database's count of changes when it last changed.
  var version: Int64
  /// Sent by somebody else and of a kind that counts.
  var isCounted: Bool
  var failureCode: String?
  var failureMessage: String?
  /// What the app's businesses added to the message, as JSON with sorted keys; frozen with the payload.
  var parameters: Data? = nil
  /// Whether it was deleted on this device: the row stays without its content, so that nothing brings the message back.
  var isHidden = false

  /// What stands where earlier epochs do, in the words of the index.
  static let isEarlier = "rank < \(Rank.beforeHistory.rawValue)"

  static let table = Table(
    "message", key: ["id"], clusteredBy: ["conversation", "rank", "id"],
    indexes: [
      Index(["conversation", "server_id"], unique: true, where: "server_id IS NOT NULL"),
      Index(["conversation", "sender", "message_id"], unique: true),
      Index(["conversation", "rank"], where: "is_counted = 1"),
      Index(["status"], where: "status > 2"),
      Index(["conversation", "sender", "status", "time"], where: isEarlier),
    ],
    Self.init, Column("id", \.id), Column("conversation", \.conversation), Column("rank", \.rank),
    Column("server_id", \.serverID), Column("message_id", \.messageID), Column("sender", \.sender),
    Column("position", \.position), Column("epoch", \.epoch), Column("time", \.time),
    Column("status", \.status), Column("kind", \.kind), Column("payload", \.payload),
    Column("revision", \.revision), Column("version", \.version), Column("is_counted", \.isCounted),
    Column("failure_code", \.failureCode), Column("failure_message", \.failureMessage),
    Column("parameters", \.parameters), Column("is_hidden", \.isHidden))

  /// What a message is named whose sender's name for it the server does not hand over.
  static func name(givenTo id: LocalMessageID) -> MessageID { MessageID(rawValue: "local-\(id.rawValue)") }
  /// Whether its sender's name for it is not known.
  var isNamedHere: Bool { messageID == Self.name(givenTo: id) }

  var failure: SendFailure? {
    get { failureCode.map { SendFailure(.init(rawValue: $0), failureMessage ?? "") } }
    set {
      failureCode = newValue?.code.rawValue
      failureMessage = newValue?.message
    }
  }

  /// Whether it stands where the server has it, and not behind everything until that is known.
  var isPlaced: Bool { status == .sent && !rank.isUnsent && !rank.isEarlier }

  /// Keeps the names and the place alone.
  mutating func forgetContent() {
    payload = Data()
    parameters = nil
  }

  /// The message as the app sees it.
  func message(for account: UserID, kinds: KindRegistry) -> ChatMessage {
    ChatMessage(
      id: id, conversation: conversation, messageID: messageID, serverID: serverID, sender: sender,
      isOwn: sender == account, time: time, status: status, failure: failure,
      content: kinds.decode(kind, payload), parameters: StoredParameters.decode(parameters), version: version,
      rank: rank)
  }
}

/// Stored by its number.
extension MessageStatus: ColumnValue {}
