/// The facts about a server, and the implementers of the capabilities that have methods.
///
/// To offer a capability with methods, assign its implementer, usually `self`; the compiler then checks that
/// the implementer has the methods. A capability whose implementer is nil is not offered. Apps find the same
/// facts as plain values in ``abilities``.
public struct BackendCapabilities: Sendable {
  /// How long the server recognizes a message id.
  public var idempotency: Idempotency
  /// How the server orders a conversation.
  public var ordering: Ordering
  /// Whether pages of history may list messages in another order than syncs do, on a server without positions. Beyond the
  /// last message before a gap, pages may then contain further messages of this gap, among stored ones. The engine fetches
  /// pages until one contains nothing new, at most 20 at once.
  public var reordersHistory: Bool
  /// Whether the server returns a message with the id that its sender's client gave it.
  public var echoesMessageID: Echo
  /// The longest time that a call of ``ChatBackend/send(_:)`` takes, whatever its outcome.
  public var sendDeadline: Duration
  /// The size of the largest content of a message, in bytes; nil if there is no limit. The engine rejects larger content
  /// before it is stored. The server refuses permanently what it can't store for another reason.
  public var largestContent: Int?
  /// The anchors that are supported in addition to ``HistoryAnchor/newest`` and ``HistoryAnchor/before(_:)``.
  public var history: HistoryAnchors
  /// Stores how far the account has read.
  public var readMarks: (any ReadMarkBackend)?
  /// Whether the server reports how far others have read (``MemberReceipt/read``).
  public var readReceipts: Bool
  /// Reports deliveries to senders. The server in turn reports how far the other members have received
  /// messages (``MemberReceipt/delivered``).
  public var deliveryReceipts: (any DeliveryBackend)?
  /// Transfers files to and from the media server.
  public var media: (any MediaBackend)?
  /// Lets the media server copy files from other servers.
  public var rehosting: (any RehostingBackend)?
  /// Fetches the contact list. If groups can be left (``leaving``), the list contains every group of the account.
  public var contacts: (any ContactBackend)?
  /// The supported settings of conversations, and their implementer; nil if the server stores none. The settings of
  /// contacts (``Contact/settings``) are then ignored, as far as they are supported here.
  public var settings: SupportedSettings?
  /// Leaves groups.
  public var leaving: (any GroupLeavingBackend)?
  /// The supported edits, recalls, reactions and flags, and their implementer; nil if none is supported.
  public var actions: SupportedActions?
  /// Whether the server stores which message a reply refers to (``OutgoingMessage/replyTo``), and returns a
  /// reference to this message with the reply (``IncomingMessage/quote``).
  public var replies: Bool
  /// Whether the server stores the mentions of a message (``OutgoingMessage/mentions``) and returns the
  /// mentions (``IncomingMessage/mentions``). If false, only clients that can decode the content know the
  /// mentions.
  public var mentions: Bool
  /// Reports to the other members that the account is typing; the push channel in turn reports the typing of other
  /// members (``BackendEvent/typing(_:_:isTyping:)``).
  public var typing: (any TypingBackend)?
  /// Whether the push channel reports who is online (``BackendEvent/presence(_:_:)``).
  public var presence: Bool
  /// Posts several messages of a conversation without waiting for each answer. Used only with
  /// ``Idempotency/forever``.
  public var pipelining: (any PipeliningBackend)?
  /// Renews a session that the server rejects.
  public var renewal: (any SessionRenewalBackend)?

  /// Describes a server and its capabilities.
  public init(
    idempotency: Idempotency, ordering: Ordering, reordersHistory: Bool = false,
    echoesMessageID: Echo = .always,
    sendDeadline: Duration = .seconds(60), largestContent: Int? = nil, history: HistoryAnchors = [],
    readMarks: (any ReadMarkBackend)? = nil, readReceipts: Bool = false,
    deliveryReceipts: (any DeliveryBackend)? = nil, media: (any MediaBackend)? = nil,
    rehosting: (any RehostingBackend)? = nil, contacts: (any ContactBackend)? = nil,
    settings: SupportedSettings? = nil,
    leaving: (any GroupLeavingBackend)? = nil, actions: SupportedActions? = nil, replies: Bool = false,
    mentions: Bool = false, typing: (any TypingBackend)? = nil, presence: Bool = false,
    pipelining: (any PipeliningBackend)? = nil, renewal: (any SessionRenewalBackend)? = nil
  ) {
    self.idempotency = idempotency
    self.ordering = ordering
    self.reordersHistory = reordersHistory
    self.echoesMessageID = echoesMessageID
    self.sendDeadline = sendDeadline
    self.largestContent = largestContent
    self.history = history
    self.readMarks = readMarks
    self.readReceipts = readReceipts
    self.deliveryReceipts = deliveryReceipts
    self.media = media
    self.rehosting = rehosting
    self.contacts = contacts
    self.settings = settings
    self.leaving = leaving
    self.actions = actions
    self.replies = replies
    self.mentions = mentions
    self.typing = typing
    self.presence = presence
    self.pipelining = pipelining
    self.renewal = renewal
  }

  /// The capabilities as plain values.
  public var abilities: ServerAbilities {
    var receipts: ReceiptKinds = readReceipts ? .read : []
    if deliveryReceipts != nil { receipts.insert(.delivered) }
    return ServerAbilities(
      idempotency: idempotency, ordering: ordering, readMarks: readMarks != nil, media: media != nil,
      echoesMessageID: echoesMessageID, rehosting: rehosting != nil, sendDeadline: sendDeadline,
      largestContent: largestContent, history: history, reordersHistory: reordersHistory,
      contacts: contacts != nil, settings: settings?.kinds ?? [], leaving: leaving != nil,
      actions: actions?.kinds ?? [], replies: replies, mentions: mentions, receipts: receipts,
      typing: typing != nil, presence: presence, pipelining: pipelining != nil, renewal: renewal != nil)
  }
}
