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
  /// When its sender last edited it.
  var edited: Timestamp? = nil
  /// Who reacted, as the server told last; see ``StoredReactions``.
  var reactions: Data? = nil
  /// When it was pinned, by the server's word.
  var pinned: Timestamp? = nil
  /// What this account does to it and the server has not confirmed, as the outbox has it; see ``PendingActions``.
  var pending: Data? = nil
  /// What it shows of the message that it replies to; see ``StoredQuote``.
  var quote: Data? = nil
  /// Of one's own message that is still to be sent: whom it calls, see ``Mentions``.
  var mentions: Data? = nil
  /// Whether it calls this account and counts.
  var isMention = false
  /// Its number in the search index; nil where it has no text to find, or was not gone through yet.
  var searchID: SearchID? = nil

  /// What stands where earlier epochs do, in the words of the index.
  static let isEarlier = "rank < \(Rank.beforeHistory.rawValue)"

  static let table = Table(
    "message", key: ["id"], clusteredBy: ["conversation", "rank", "id"],
    indexes: [
      Index(["conversation", "server_id"], unique: true, where: "server_id IS NOT NULL"),
      Index(["conversation", "sender", "message_id"], unique: true),
      Index(["conversation", "rank"], where: "is_counted = 1"),
      Index(["conversation", "rank", "is_hidden"], where: "is_mention = 1"),
      Index(["conversation", "pinned"], where: "pinned IS NOT NULL"),
      Index(["search_id"], unique: true, where: "search_id IS NOT NULL"),
      Index(["status"], where: "status > 2"),
      Index(["conversation", "sender", "status", "time"], where: isEarlier),
    ],
    Self.init, Column("id", \.id), Column("conversation", \.conversation), Column("rank", \.rank),
    Column("server_id", \.serverID), Column("message_id", \.messageID), Column("sender", \.sender),
    Column("position", \.position), Column("epoch", \.epoch), Column("time", \.time),
    Column("status", \.status), Column("kind", \.kind), Column("payload", \.payload),
    Column("revision", \.revision), Column("version", \.version), Column("is_counted", \.isCounted),
    Column("failure_code", \.failureCode), Column("failure_message", \.failureMessage),
    Column("parameters", \.parameters), Column("is_hidden", \.isHidden), Column("edited", \.edited),
    Column("reactions", \.reactions), Column("pinned", \.pinned), Column("pending", \.pending),
    Column("quote", \.quote), Column("mentions", \.mentions), Column("is_mention", \.isMention),
    Column("search_id", \.searchID))

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
    reactions = nil
    pinned = nil
    pending = nil
    quote = nil
    mentions = nil
  }

  /// Whether it was taken back from everybody.
  var isRecalled: Bool { kind == RecalledContent.kind }

  /// Whether it was, or this account is about to take it back.
  var isRecalledHere: Bool { isRecalled || PendingActions.decode(pending)?.isRecalled == true }

  /// Whether it is pinned, or this account is about to do that.
  var isPinnedHere: Bool { PendingActions.decode(pending)?.pin ?? (pinned != nil) }

  /// The part that edits, recalls, reactions and pins change.
  var state: MessageState {
    get {
      MessageState(
        kind: kind, payload: payload, parameters: parameters, edited: edited, reactions: reactions,
        pinned: pinned, revision: revision)
    }
    set {
      (kind, payload, parameters) = (newValue.kind, newValue.payload, newValue.parameters)
      (edited, reactions, pinned) = (newValue.edited, newValue.reactions, newValue.pinned)
      revision = newValue.revision
      if isRecalled { (quote, isMention) = (nil, false) }
    }
  }

  /// The content as it is once this account's own edit or recall is done.
  func shown(for account: UserID, _ pending: PendingActions?) -> (kind: MessageKind, payload: Data) {
    if pending?.isRecalled == true { return (RecalledContent.kind, RecalledContent.payload(by: account)) }
    return pending?.edit.map { ($0.kind, $0.payload) } ?? (kind, payload)
  }

  /// The message as the app sees it.
  func message(for account: UserID, kinds: KindRegistry) -> ChatMessage {
    let pending = PendingActions.decode(pending)
    let (kind, payload) = shown(for: account, pending)
    let reactions = StoredReactions.decode(reactions)
    return ChatMessage(
      id: id, conversation: conversation, messageID: messageID, serverID: serverID, sender: sender,
      isOwn: sender == account, time: time, status: status, failure: failure,
      content: kinds.decode(kind, payload), parameters: StoredParameters.decode(parameters), edited: edited,
      reactions: pending?.applied(to: reactions, by: account) ?? reactions,
      isPinned: pending?.pin ?? (pinned != nil), hasPendingRevision: pending != nil, isMention: isMention,
      quote: StoredQuote.decode(quote)?.quote(kinds), version: version,
      rank: rank)
  }
}

/// Stored by its number.
extension MessageStatus: ColumnValue {}
