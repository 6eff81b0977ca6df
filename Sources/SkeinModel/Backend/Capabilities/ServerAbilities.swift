/// The capabilities of a server as plain values; see ``BackendCapabilities/abilities``.
public struct ServerAbilities: Sendable, Hashable {
  /// How long the server recognizes a message id.
  public var idempotency: BackendCapabilities.Idempotency
  /// How the server orders a conversation.
  public var ordering: BackendCapabilities.Ordering
  /// Whether the server stores how far an account has read.
  public var readMarks: Bool
  /// Whether the backend has a media server.
  public var media: Bool
  /// Whether the server returns a message with the id that its sender's client gave it.
  public var echoesMessageID: BackendCapabilities.Echo
  /// Whether the media server copies files from other servers.
  public var rehosting: Bool
  /// The longest time that a call of ``ChatBackend/send(_:)`` takes, whatever its outcome.
  public var sendDeadline: Duration
  /// The size of the largest content of a message, in bytes; nil if there is no limit.
  public var largestContent: Int?
  /// The anchors that are supported in addition to ``HistoryAnchor/newest`` and ``HistoryAnchor/before(_:)``.
  public var history: BackendCapabilities.HistoryAnchors
  /// Whether pages of history may list messages in another order than syncs do.
  public var reordersHistory: Bool
  /// Whether the server stores a contact list.
  public var contacts: Bool
  /// The settings of conversations that the server stores for the account.
  public var settings: BackendCapabilities.Settings
  /// Whether groups can be left.
  public var leaving: Bool
  /// The supported kinds of changes of a sent message.
  public var actions: BackendCapabilities.Actions
  /// Whether the server stores which message a reply refers to.
  public var replies: Bool
  /// Whether the server stores the mentions of a message.
  public var mentions: Bool
  /// The receipts of other members that the server reports.
  public var receipts: BackendCapabilities.ReceiptKinds
  /// Whether the push channel reports typing.
  public var typing: Bool
  /// Whether the push channel reports who is online.
  public var presence: Bool
  /// Whether the backend can post several messages of a conversation without waiting for each answer.
  public var pipelining: Bool
  /// Whether a rejected session can be renewed without the user.
  public var renewal: Bool

  /// Describes the abilities of a server.
  public init(
    idempotency: BackendCapabilities.Idempotency, ordering: BackendCapabilities.Ordering,
    readMarks: Bool = false, media: Bool = false, echoesMessageID: BackendCapabilities.Echo = .always,
    rehosting: Bool = false, sendDeadline: Duration = .seconds(60),
    largestContent: Int? = nil, history: BackendCapabilities.HistoryAnchors = [],
    reordersHistory: Bool = false, contacts: Bool = false,
    settings: BackendCapabilities.Settings = [], leaving: Bool = false,
    actions: BackendCapabilities.Actions = [], replies: Bool = false, mentions: Bool = false,
    receipts: BackendCapabilities.ReceiptKinds = [], typing: Bool = false, presence: Bool = false,
    pipelining: Bool = false, renewal: Bool = false
  ) {
    self.idempotency = idempotency
    self.ordering = ordering
    self.readMarks = readMarks
    self.media = media
    self.echoesMessageID = echoesMessageID
    self.rehosting = rehosting
    self.sendDeadline = sendDeadline
    self.largestContent = largestContent
    self.history = history
    self.reordersHistory = reordersHistory
    self.contacts = contacts
    self.settings = settings
    self.leaving = leaving
    self.actions = actions
    self.replies = replies
    self.mentions = mentions
    self.receipts = receipts
    self.typing = typing
    self.presence = presence
    self.pipelining = pipelining
    self.renewal = renewal
  }
}
