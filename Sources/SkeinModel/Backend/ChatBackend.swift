#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The adapter to one kind of server: everything the engine asks of it, and nothing about how.
///
/// 1. Every call may be made again after any failure, a crash among them.
/// 2. A call throws ``BackendError``; any other error counts as transient.
/// 3. A call may not wait for ever: it has a deadline of its own, or ends when its task is cancelled.
///
/// `SkeinTesting` holds it as checks that any backend can run; of a server that is set back it can check the marks alone.
///
/// A plain REST server needs ``sync(since:limit:)``, ``history(of:at:limit:)``, ``send(_:)``, ``open(_:)`` and
/// ``run(since:_:)``, which says what to do without push.
public protocol ChatBackend: Sendable {
  /// What the server can do; the engine asks for no more.
  var capabilities: BackendCapabilities { get }

  /// Runs the push channel until the connection ends, by returning or throwing.
  ///
  /// Reports ``BackendEvent/connected`` once the channel is open; what happens on the server from then on must be
  /// reported. When `receive` returns, what it was given is on disk, or will be fetched by ``sync(since:limit:)`` from the
  /// stored cursor: acknowledge to the server then, not before, and only what sync hands over again. Several pokes that
  /// come meanwhile may become one, and never none.
  ///
  /// Where ``BackendCapabilities/typing`` and ``BackendCapabilities/presence`` say so, reports who types and who is there
  /// as well: ``BackendEvent/typing(_:_:isTyping:)``, ``BackendEvent/presence(_:_:)``.
  ///
  /// Where the server has no push, reports ``BackendEvent/connected``, asks now and then whether something is new,
  /// reports ``BackendEvent/poke`` when something is, and stays until it is cancelled. Without those pokes the engine
  /// asks by itself, every ``ChatOptions/pollInterval`` while the app is in the foreground, and the checks of the push
  /// channel fail.
  ///
  /// - Throws: ``BackendError`` with ``BackendError/Code/unauthorized`` when the session is over, as any call does, unless
  ///   ``BackendEvent/signedOut(reason:)`` has said so.
  func run(since cursor: SyncCursor?, _ receive: @escaping BackendReceiver) async throws

  /// Fetches what has happened since a cursor; nil is the beginning.
  ///
  /// The batch names the cursor it answers as its `from`, or it is not taken and the fetch counts as failed. Messages of
  /// this account are handed over like all others: that is how its other devices get them. A cursor stays good: asked
  /// again, after a crash, it gives the same again and what came since.
  ///
  /// - Parameters:
  ///   - cursor: one that this account was given on any device; ``BackendError/Code/cursorRejected`` if the server does not
  ///     know it.
  ///   - limit: the most messages of one conversation to hand over in a batch, the newest ones; at least 1, and held within
  ///     what the server allows.
  func sync(since cursor: SyncCursor?, limit: Int) async throws -> SyncBatch

  /// Fetches one page of a conversation, at most `limit` messages, in ascending order and without a hole among them or up
  /// to the anchor. The engine asks for ``HistoryAnchor/newest`` and ``HistoryAnchor/before(_:)``, and for others where
  /// ``BackendCapabilities/history`` says so; throw ``BackendError/Code/unsupported`` for the rest, and a permanent
  /// error for a message that the server does not have.
  func history(of conversation: ConversationRef, at anchor: HistoryAnchor, limit: Int) async throws
    -> HistoryPage

  /// Posts a message and returns when the server has it for good.
  ///
  /// A message is known again by its conversation, its sender and its id, for as long as
  /// ``BackendCapabilities/idempotency`` says: it is not posted twice, and has the receipt it had. Other content under the
  /// same id is not posted either: the server says ``BackendError/Code/idInUse`` and what it holds, or gives the receipt of
  /// that. Content that it can't keep byte for byte is refused with ``BackendError/Code/permanent``, and so may be a
  /// reply to a message that the server does not have.
  func send(_ message: OutgoingMessage) async throws -> SendReceipt

  /// Edits, recalls, reacts to or pins a message, and returns it as it is then; called where ``BackendCapabilities/revisions`` says
  /// so.
  ///
  /// Under an id that the server has taken it does nothing more, and returns the message as it is now. All devices of those in
  /// the conversation hear of it by sync: as ``ConversationDelta/revised``, or with the message where they have yet to get it.
  ///
  /// - Returns: nil where the server does not count ``IncomingMessage/revision``; the revision is then taken for done.
  /// - Throws: ``BackendError`` with ``BackendError/Code/permanent`` for a message that is not there or not this account's to
  ///   edit, and for one that was recalled.
  func revise(_ revision: OutgoingRevision) async throws -> IncomingMessage?

  /// Opens a conversation, or finds the one that exists: for a pair of users one, whoever asks and however often; for the
  /// key of a group one, on all devices of who made it.
  func open(_ request: ConversationRequest) async throws -> ConversationInfo

  /// Tells the server how far this account has read, which never goes back; its other devices hear of it by sync. Called
  /// where ``BackendCapabilities/readMarks`` says so.
  ///
  /// - Parameter epoch: the life of the server's history that the position belongs to, where the server says; in another
  ///   one it names another message, so a server that can be set back refuses it, with ``BackendError/Code/permanent``.
  func markRead(_ conversation: ConversationRef, upTo position: Position, in epoch: Epoch?) async throws

  /// Tells the server that all up to a cursor is on this device's disk; those who sent it hear of that by sync. Called where
  /// ``BackendCapabilities/receipts`` says so; a cursor from before one that was told changes nothing.
  func markDelivered(upTo cursor: SyncCursor) async throws

  /// Tells the others in a conversation who are connected that this account types; called every few seconds while it does, where
  /// ``BackendCapabilities/typing`` says so. What gets lost is not told again.
  func noteTyping(in conversation: ConversationRef) async throws

  /// Fetches what has happened to the contact list since a version, or all of it; called where
  /// ``BackendCapabilities/contacts`` says so.
  ///
  /// A version that the server can't go on from is answered with the whole list.
  ///
  /// - Parameter version: the one that the stored list is at; nil asks for the whole list.
  func contacts(since version: ContactVersion?) async throws -> ContactDelta

  /// Takes this account out of a group; called where ``BackendCapabilities/leaving`` says so. Leaving a group that was left
  /// before succeeds.
  func leave(_ group: ConversationRef) async throws

  /// Brings a file to the media server, and goes on where an earlier attempt was cut; called where
  /// ``BackendCapabilities/media`` says so.
  ///
  /// Awaits `report` when the upload has a token, and as bytes arrive: a new token is on disk when it returns. What it
  /// throws ends the upload, and is thrown on.
  ///
  /// - Parameter token: the last one that was reported for this content; one that the server does not know any more starts
  ///   anew.
  func upload(_ source: UploadSource, resuming token: UploadToken?, report: UploadReporter) async throws
    -> RemoteMedia

  /// Has the media server take a copy of a file on somebody else's server; called where
  /// ``BackendCapabilities/rehosting`` says so.
  func rehost(_ url: URL) async throws -> RemoteMedia

  /// Fetches a file from the media server into `file`, which appears whole or not at all, in place of what stood there.
  ///
  /// - Throws: ``BackendError`` with ``BackendError/Code/permanent`` if there is no such file for this account.
  func download(_ media: RemoteMedia, to file: URL) async throws

  /// Makes the session good again, as with a refresh token; called where ``BackendCapabilities/renewal`` says so, once for all
  /// calls that threw ``BackendError/Code/unauthorized``. What was refused is called again when it returns; sends and
  /// uploads go with the outbox's next attempt, after its usual pause, and the push channel opens after its own.
  ///
  /// - Throws: ``BackendError`` with ``BackendError/Code/unauthorized`` where only its user can sign in again, and another code
  ///   where a later attempt may succeed.
  func renewSession() async throws
}

extension ChatBackend {
  /// Refuses: the backend has no read marks.
  public func markRead(_ conversation: ConversationRef, upTo position: Position, in epoch: Epoch?)
    async throws
  {
    throw BackendError(.unsupported, "This backend has no read marks.")
  }
  /// Refuses: the backend tells nobody.
  public func markDelivered(upTo cursor: SyncCursor) async throws {
    throw BackendError(.unsupported, "This backend tells nobody what was delivered.")
  }
  /// Refuses: the backend tells nobody.
  public func noteTyping(in conversation: ConversationRef) async throws {
    throw BackendError(.unsupported, "This backend tells nobody who types.")
  }
  /// Refuses: messages of this backend stay as they are.
  public func revise(_ revision: OutgoingRevision) async throws -> IncomingMessage? {
    throw BackendError(.unsupported, "Messages of this backend stay as they are.")
  }
  /// Refuses: the backend has no contact list.
  public func contacts(since version: ContactVersion?) async throws -> ContactDelta {
    throw BackendError(.unsupported, "This backend has no contact list.")
  }
  /// Refuses: groups of this backend can't be left.
  public func leave(_ group: ConversationRef) async throws {
    throw BackendError(.unsupported, "Groups of this backend can't be left.")
  }
  /// Refuses: the backend has no media server.
  public func upload(_ source: UploadSource, resuming token: UploadToken?, report: UploadReporter)
    async throws
    -> RemoteMedia
  {
    throw BackendError(.unsupported, "This backend has no media server.")
  }
  /// Refuses: the media server takes no copies.
  public func rehost(_ url: URL) async throws -> RemoteMedia {
    throw BackendError(.unsupported, "This backend copies no files of other servers.")
  }
  /// Refuses: the backend has no media server.
  public func download(_ media: RemoteMedia, to file: URL) async throws {
    throw BackendError(.unsupported, "This backend has no media server.")
  }
  /// Refuses: a session of this backend that is over stays so.
  public func renewSession() async throws {
    throw BackendError(.unsupported, "Sessions of this backend can't be renewed.")
  }
}

/// What a server can do.
public struct BackendCapabilities: Sendable, Hashable {
  /// For how long the server knows a message id again.
  public enum Idempotency: Sendable, Hashable {
    /// A message sent twice with one id stands once, whenever the second attempt comes.
    case forever
    /// The same, for this long after the first attempt. A repetition has to begin earlier by
    /// ``BackendCapabilities/sendDeadline``, so that it arrives in time.
    case window(Duration)
    /// Never: a second attempt is a second message.
    case none
  }
  /// How the server orders a conversation.
  public enum Ordering: Sendable, Hashable {
    /// Positions rise by one from message to message, starting at 1.
    case dense
    /// Positions rise, with holes.
    case sparse
    /// There are no positions: pages and syncs give their messages in order, and tokens to go on from at their ends. The
    /// engine gives the ranks. Read marks, which are positions, are not supported with it:
    /// ``ChatClient/open(account:backend:kinds:runtime:options:)`` refuses them. Newer than the other two, and not proven by
    /// the simulator yet.
    case arrival
  }
  /// Whether the server hands a message over with the id that its sender's client gave it.
  public enum Echo: Sendable, Hashable {
    /// In sync and history, to every device.
    case always
    /// Only to the device that sent it.
    case thisDevice
    /// Never: whether a message with an unknown outcome has arrived can't be looked up.
    case never
  }
  /// Where a page of history may be asked for, beside the newest messages and those before a position.
  public struct HistoryAnchors: OptionSet, Sendable, Hashable {
    /// One bit for each.
    public let rawValue: Int
    /// Takes a set's bits.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// ``HistoryAnchor/after(_:)``; without it a gap is filled from its newer side alone.
    public static let after = HistoryAnchors(rawValue: 1)
    /// ``HistoryAnchor/message(_:)``; without it a message that is not stored can't be jumped to.
    public static let message = HistoryAnchors(rawValue: 2)
    /// ``HistoryAnchor/time(_:)``; without it the way back to a moment is paged.
    public static let time = HistoryAnchors(rawValue: 4)
    /// Every one of them.
    public static let all: HistoryAnchors = [.after, .message, .time]
  }
  /// What can be done to a message that was sent.
  public struct Revisions: OptionSet, Sendable, Hashable {
    /// One bit for each.
    public let rawValue: Int
    /// Takes a set's bits.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// ``MessageRevision/edit(_:payload:)``.
    public static let edits = Revisions(rawValue: 1)
    /// ``MessageRevision/recall``.
    public static let recalls = Revisions(rawValue: 2)
    /// ``MessageRevision/reaction(_:isSet:)``.
    public static let reactions = Revisions(rawValue: 4)
    /// ``MessageRevision/pin(isSet:)``.
    public static let pins = Revisions(rawValue: 8)
    /// Every one of them.
    public static let all: Revisions = [.edits, .recalls, .reactions, .pins]
  }
  /// What the server tells of the others in a conversation.
  public struct ReceiptKinds: OptionSet, Sendable, Hashable {
    /// One bit for each.
    public let rawValue: Int
    /// Takes a set's bits.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// ``MemberReceipt/delivered``.
    public static let delivered = ReceiptKinds(rawValue: 1)
    /// ``MemberReceipt/read``.
    public static let read = ReceiptKinds(rawValue: 2)
    /// Both.
    public static let all: ReceiptKinds = [.delivered, .read]
  }
  /// For how long the server knows a message id again.
  public var idempotency: Idempotency
  /// How the server orders a conversation.
  public var ordering: Ordering
  /// Whether the server keeps how far an account has read.
  public var readMarks: Bool
  /// Whether there is a media server.
  public var media: Bool
  /// Whether the server hands a message over with the id that its sender's client gave it.
  public var echoesMessageID: Echo
  /// Whether the media server takes copies of files on other servers.
  public var rehosting: Bool
  /// How long a call of ``ChatBackend/send(_:)`` lasts at most, whatever becomes of it.
  public var sendDeadline: Duration
  /// Where a page of history may be asked for, beside the newest messages and those before a position.
  public var history: HistoryAnchors
  /// Whether the server keeps a contact list.
  public var contacts: Bool
  /// Whether groups can be left.
  public var leaving: Bool
  /// What can be done to a message that was sent.
  public var revisions: Revisions
  /// Whether the server keeps which message another one replies to (``OutgoingMessage/replyTo``) and hands that over
  /// (``IncomingMessage/quote``).
  public var replies: Bool
  /// Whether the server keeps whom a message calls (``OutgoingMessage/mentions``) and hands that over
  /// (``IncomingMessage/mentions``). Without it those hear of it who can read the content.
  public var mentions: Bool
  /// What the server tells of the others in a conversation, where it gives messages positions.
  public var receipts: ReceiptKinds
  /// Whether the push channel tells who types (``BackendEvent/typing(_:_:isTyping:)``).
  public var typing: Bool
  /// Whether the push channel tells who is there (``BackendEvent/presence(_:_:)``).
  public var presence: Bool
  /// Whether a session that the server refuses can be made good without its user (``ChatBackend/renewSession()``).
  public var renewal: Bool

  /// States what a server can do.
  public init(
    idempotency: Idempotency, ordering: Ordering, readMarks: Bool = false, media: Bool = false,
    echoesMessageID: Echo = .always, rehosting: Bool = false, sendDeadline: Duration = .seconds(60),
    history: HistoryAnchors = [], contacts: Bool = false, leaving: Bool = false,
    revisions: Revisions = [], replies: Bool = false, mentions: Bool = false,
    receipts: ReceiptKinds = [], typing: Bool = false, presence: Bool = false,
    renewal: Bool = false
  ) {
    self.idempotency = idempotency
    self.ordering = ordering
    self.readMarks = readMarks
    self.media = media
    self.echoesMessageID = echoesMessageID
    self.rehosting = rehosting
    self.sendDeadline = sendDeadline
    self.history = history
    self.contacts = contacts
    self.leaving = leaving
    self.revisions = revisions
    self.replies = replies
    self.mentions = mentions
    self.receipts = receipts
    self.typing = typing
    self.presence = presence
    self.renewal = renewal
  }
}

/// Takes what a push channel reports; returns when it is on disk or sure to be fetched. A type of its own, so that a backend
/// may be written in a module with any concurrency settings.
public typealias BackendReceiver = @concurrent @Sendable (BackendEvent) async -> Void

/// What the push channel reports.
public enum BackendEvent: Sendable, Hashable {
  /// The channel is open.
  case connected
  /// Something is new; fetch it.
  case poke
  /// Something is new, and here it is.
  case batch(SyncBatch)
  /// Somebody types in a conversation, or has stopped; it may get lost.
  case typing(ConversationRef, UserID, isTyping: Bool)
  /// Somebody comes or goes. Once the channel is open, the server tells of those who are there whom this account may
  /// see; of whoever is not told of, ``ChatClient/presence(of:)`` is nil. An adapter may tell of those who are not there
  /// as well, after ``connected`` and with ``Presence/lastSeen`` where the server says that.
  case presence(UserID, Presence)
  /// The server has ended this session.
  case signedOut(reason: String)
}
