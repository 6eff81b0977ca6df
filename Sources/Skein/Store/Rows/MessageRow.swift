#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
public import SkeinStorage

/// The stored form of a message.
struct MessageRow: Mapped, Equatable {
  let id: LocalMessageID
  var conversation: ConversationID
  var rank: Rank
  var serverID: ServerMessageID?
  var messageID: MessageID
  var sender: UserID
  var position: Position?
  /// The epoch in which the message was composed, last posted or last received.
  var epoch: Epoch?
  var time: Timestamp
  var status: MessageStatus
  var kind: MessageKind
  var payload: Data
  /// The server's revision of the message; within an epoch, a lower revision never replaces a higher one.
  var revision: Int64
  /// The change counter at the last change of the row.
  var version: Int64
  /// Whether the message is countable and was sent by another user.
  var isCounted: Bool
  var failureCode: String?
  var failureMessage: String?
  /// The parameters added by the app, as JSON with sorted keys.
  var parameters: Data? = nil
  /// Whether the message was deleted on this device. The row stays without its content, so that the message
  /// is not stored again.
  var isHidden = false
  /// The time of the sender's last edit.
  var edited: Timestamp? = nil
  /// The reactions last reported by the server; see ``StoredReactions``.
  var reactions: Data? = nil
  /// The flags last reported by the server; see ``StoredFlags``.
  var flags: Data? = nil
  /// The unconfirmed actions of this account on the message, copied from the outbox; see ``PendingActions``.
  var pending: Data? = nil
  /// The quote of the message that this message replies to; see ``StoredQuote``.
  var quote: Data? = nil
  /// The mentions to post with a message of this device, encoded; see ``Mentions``.
  var mentions: Data? = nil
  /// Whether `isCounted` is true and the message mentions this account.
  var isMention = false
  /// The message's number in the search index; negative if the message waits to be indexed. Nil if the
  /// message has no searchable text, was deleted here, or was stored before the search index existed and is
  /// not indexed yet.
  var searchID: SearchID? = nil
  /// Whether `time` is an estimate of this device: the receipt of the sent message has no time, and no answer has
  /// returned the message yet.
  var isTimeEstimated = false

  /// The SQL condition for messages of earlier epochs; also true for `Rank.unplaced`. A partial index uses
  /// the same condition.
  static let isEarlier = "rank < \(Rank.beforeHistory.rawValue)"

  static let table = Table(
    "message", key: ["id"], clusteredBy: ["conversation", "rank", "id"],
    indexes: [
      Index(["conversation", "server_id"], unique: true, where: "server_id IS NOT NULL"),
      Index(["conversation", "sender", "message_id"], unique: true),
      // These two indexes include the column of their condition, so that they cover the counts of
      // `MessageCounts`.
      Index(["conversation", "is_counted", "rank", "is_hidden"], where: "is_counted = 1"),
      Index(["conversation", "is_mention", "rank", "is_hidden"], where: "is_mention = 1"),
      Index(["conversation", "rank"], where: "is_counted = 1 AND is_hidden = 1"),
      Index(["conversation"], where: "flags IS NOT NULL"),
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
    Column("reactions", \.reactions), Column("flags", \.flags), Column("pending", \.pending),
    Column("quote", \.quote), Column("mentions", \.mentions), Column("is_mention", \.isMention),
    Column("search_id", \.searchID), Column("is_time_estimated", \.isTimeEstimated))

  /// The message id that this device assigns to a message if the server has returned no message id.
  static func name(givenTo id: LocalMessageID) -> MessageID { MessageID(rawValue: "local-\(id.rawValue)") }
  /// Whether this device assigned the message id, because the server has returned no message id.
  var isNamedHere: Bool { messageID == Self.name(givenTo: id) }

  var failure: SendFailure? {
    get { failureCode.map { SendFailure(.init(rawValue: $0), failureMessage ?? "") } }
    set {
      failureCode = newValue?.code.rawValue
      failureMessage = newValue?.message
    }
  }

  /// Whether the message's place in the server's current history is known.
  var isPlaced: Bool { status == .sent && !rank.isUnsent && !rank.isEarlier }

  /// Removes the payload, the parameters, the reactions, the flags, the pending actions, the quote and the
  /// mentions. All other values stay.
  mutating func forgetContent() {
    payload = Data()
    parameters = nil
    reactions = nil
    flags = nil
    pending = nil
    quote = nil
    mentions = nil
  }

  /// Whether the message was recalled for everybody.
  var isRecalled: Bool { kind == RecalledContent.kind }

  /// Whether the message was recalled, or this account is about to recall it.
  var isRecalledHere: Bool { isRecalled || PendingActions.decode(pending)?.isRecalled == true }

  /// The flags as lists show them, with this account's unconfirmed changes.
  var flagsHere: Set<MessageFlag> { flags(with: PendingActions.decode(pending)) }

  private func flags(with pending: PendingActions?) -> Set<MessageFlag> {
    if flags == nil, pending == nil { return [] }
    let known = Set(StoredFlags.decode(flags).keys)
    return pending?.applied(to: known) ?? known
  }

  /// The part of the message that an edit, a recall, a reaction or a flag can change. Setting a recalled
  /// state also removes the quote and sets `isMention` to false.
  var state: MessageState {
    get {
      MessageState(
        kind: kind, payload: payload, parameters: parameters, edited: edited, reactions: reactions,
        flags: flags, revision: revision)
    }
    set {
      (kind, payload, parameters) = (newValue.kind, newValue.payload, newValue.parameters)
      (edited, reactions, flags) = (newValue.edited, newValue.reactions, newValue.flags)
      revision = newValue.revision
      if isRecalled { (quote, isMention) = (nil, false) }
    }
  }

  /// The content as lists show it, with the pending edit or recall of this account.
  func shown(for account: UserID, _ pending: PendingActions?) -> (kind: MessageKind, payload: Data) {
    if pending?.isRecalled == true { return (RecalledContent.kind, RecalledContent.payload(by: account)) }
    return pending?.edit.map { ($0.kind, $0.payload) } ?? (kind, payload)
  }

  /// The public value.
  func message(for account: UserID, kinds: KindRegistry) -> ChatMessage {
    let pending = PendingActions.decode(pending)
    let (kind, payload) = shown(for: account, pending)
    let reactions = StoredReactions.decode(reactions)
    return ChatMessage(
      id: id, conversation: conversation, messageID: messageID, serverID: serverID, sender: sender,
      isOwn: sender == account, time: time, status: status, failure: failure,
      content: kinds.decode(kind, payload), parameters: StoredParameters.decode(parameters), edited: edited,
      reactions: pending?.applied(to: reactions, by: account) ?? reactions,
      flags: flags(with: pending), hasPendingAction: pending != nil, isMention: isMention,
      quote: StoredQuote.decode(quote)?.quote(kinds), version: version,
      rank: rank)
  }
}

/// Stored by its raw value.
extension MessageStatus: ColumnValue {}
