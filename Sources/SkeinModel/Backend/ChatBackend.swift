/// The adapter to one kind of server: the calls that every backend must have.
///
/// 1. The engine may repeat every call after any failure, including a crash. If the outcome of ``send(_:)``
///    is unknown, the engine repeats the call only as ``BackendCapabilities/idempotency`` allows, or at the
///    user's request.
/// 2. A call throws ``BackendError``; any other error counts as transient, with an unknown outcome.
/// 3. Every call ends: the call has a deadline of its own, or stops when its task is cancelled.
///
/// Each optional capability with methods is a separate protocol: ``ReadMarkBackend``, ``DeliveryBackend``,
/// ``ContactBackend``, ``GroupLeavingBackend``, ``MessageActionBackend``, ``TypingBackend``,
/// ``MediaBackend``, ``RehostingBackend``, ``PipeliningBackend`` and ``SessionRenewalBackend``.
/// ``capabilities`` contains the implementers of the capabilities that the backend offers, so the compiler
/// checks that they have the methods:
///
/// ```swift
/// struct MyBackend: ChatBackend, MediaBackend {
///   var capabilities: BackendCapabilities {
///     BackendCapabilities(idempotency: .forever, ordering: .dense, media: self)
///   }
///   // …
/// }
/// ```
///
/// `SkeinTesting` contains this contract as checks that any backend can run.
public protocol ChatBackend: Sendable {
  /// The facts about the server, and the implementers of its optional capabilities. The engine makes an optional call
  /// only on the implementer that is given here.
  var capabilities: BackendCapabilities { get }

  /// Runs the push channel; returns or throws when the connection ends.
  ///
  /// The push channel is any means by which the server announces news: a WebSocket, an event stream, or a
  /// long poll. Report ``BackendEvent/connected`` once the channel is open. From then on, report everything
  /// that happens on the server, as ``BackendEvent/poke`` or ``BackendEvent/batch(_:)``. Several pokes that
  /// arrive while `receive` runs may be merged into one poke, but not dropped.
  ///
  /// Acknowledge an event to the server only after `receive` has returned: then the content of the event is
  /// on disk, or the engine will fetch the content by ``sync(since:limit:)`` from the stored cursor.
  /// Acknowledge a message only if ``sync(since:limit:)`` returns the message as well.
  ///
  /// Report typing as well if ``BackendCapabilities/typing`` is set, and presence if
  /// ``BackendCapabilities/presence`` is true.
  ///
  /// **Long polling.** The channel is open when the server has answered the first poll. Poll in a loop inside
  /// `run`: report a poke, or a batch, for each answer with news, and poll again. A poll that times out
  /// without news is not a failure. A poll that fails ends `run` with the poll's error; the engine calls
  /// `run` again after a pause.
  ///
  /// **No push at all.** Report ``BackendEvent/connected``, and run until cancelled. Ask the server at
  /// intervals whether it has news, and report ``BackendEvent/poke`` if the server has news. A backend that
  /// reports no pokes fails the checks of the push channel in `SkeinTesting`, and the engine then fetches
  /// news only while the app is in the foreground, at the interval `ChatOptions.pollInterval`.
  ///
  /// - Parameter cursor: the stored cursor, for servers that push only what is new since a cursor. Other
  ///   backends may ignore the cursor: the engine calls ``sync(since:limit:)`` as well once the channel is
  ///   open.
  /// - Throws: ``BackendError`` with ``BackendError/Code/unauthorized`` when the session has ended, as every other
  ///   call does. This error is not required after ``BackendEvent/signedOut(reason:)`` was reported.
  func run(since cursor: SyncCursor?, _ receive: @escaping BackendReceiver) async throws

  /// Fetches the events since a cursor; nil means from the beginning.
  ///
  /// The batch must return the cursor as its ``SyncBatch/from``; otherwise the engine discards the batch and
  /// fetches again. After three wrong batches in a row, the fetch counts as failed. The batch includes
  /// messages sent by this account, because the account's other devices receive these messages by sync. A
  /// cursor stays valid: after a crash, a request with the same cursor returns the same events again,
  /// followed by newer events. A server that has deleted the events since a cursor rejects it, and states another
  /// ``SyncBatch/epoch`` from then on: the engine then fetches the stored messages again. If the epoch stays the same, earlier
  /// changes of stored messages, such as edits, may be missed.
  ///
  /// A server may return only a part of the events and set ``SyncBatch/hasMore``. The engine then fetches from
  /// ``SyncBatch/next`` at once. Each batch, and each ``ConversationDelta/count`` in it, covers only the events from
  /// its own ``SyncBatch/from`` to its own ``SyncBatch/next``.
  ///
  /// - Parameters:
  ///   - cursor: a cursor that the server returned to any device of this account; nil for the beginning. Throw
  ///     ``BackendError/Code/cursorRejected`` for any other cursor.
  ///   - limit: the maximum number of messages per conversation, at least 1. Return the newest messages.
  ///     Reduce `limit` to the server's own limit if the server's limit is lower.
  func sync(since cursor: SyncCursor?, limit: Int) async throws -> SyncBatch

  /// Fetches one page of a conversation: at most `limit` messages in ascending order. No message is missing
  /// in the page, or between the page and the anchor.
  ///
  /// The engine requests ``HistoryAnchor/newest`` from every backend. To page back, the engine requests
  /// ``HistoryAnchor/before(_:)``. If the ordering is ``BackendCapabilities/Ordering/arrival``, the engine
  /// instead requests ``HistoryAnchor/token(_:)``, to page back and forward. The engine requests
  /// ``HistoryAnchor/after(_:)``, ``HistoryAnchor/message(_:)`` and ``HistoryAnchor/time(_:)`` only if
  /// ``BackendCapabilities/history`` contains the anchor. The engine never requests
  /// ``HistoryAnchor/around(_:)``.
  ///
  /// - Throws: ``BackendError`` with ``BackendError/Code/unsupported`` for an anchor that the server does not
  ///   support, and with ``BackendError/Code/permanent`` for a conversation or a message that the server does not
  ///   have.
  func history(of conversation: ConversationRef, at anchor: HistoryAnchor, limit: Int) async throws
    -> HistoryPage

  /// Posts a message and returns once the server has stored it.
  ///
  /// The server recognizes a repeated message by its conversation, its sender and its id, for as long as
  /// ``BackendCapabilities/idempotency`` states. A repeated message is not posted again, and its call returns the
  /// same receipt.
  ///
  /// - Different content under a known id is not posted. Throw ``BackendError/Code/idInUse`` with the stored message,
  ///   or return the receipt of the stored message.
  /// - Content that the server can't store byte for byte is refused with ``BackendError/Code/permanent``.
  /// - A reply to a message that the server does not have may be refused with ``BackendError/Code/permanent``.
  func send(_ message: OutgoingMessage) async throws -> SendReceipt

  /// Opens a conversation, or finds the existing one. Each pair of users has one conversation, regardless of
  /// which user opens the conversation and how often. All requests of one user with the same group id
  /// (``ConversationRequest/group(id:title:members:)``) return the same group, on all devices of this user.
  func open(_ request: ConversationRequest) async throws -> ConversationInfo
}
