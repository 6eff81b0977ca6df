#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
import SkeinStorage
import Synchronization

/// One account on one server: its database, its connection, its conversations.
///
/// ```swift
/// let client = try await ChatClient.open(
///   account: "alice", backend: backend, kinds: .standard, runtime: .system(directory: folder))
/// client.start()
/// let chat = client.context(for: try await client.open(.direct("bob")))
/// try await chat.messenger.send(TextContent("Hello"))
/// ```
///
/// Several processes may open and start clients on one folder, for example an app and its extension. One
/// process sends and receives for all processes, and each process sees the changes of the other processes;
/// see ``ConnectionState/elsewhere``.
public final class ChatClient: Sendable {
  /// The signed-in user.
  public let account: UserID
  /// The conversations and their changes.
  public let conversations: ConversationList
  /// Friends and groups, and their changes; empty if the backend has no contact list.
  public let contacts: ContactList
  let store: ChatStore
  private let backend: RenewingBackend
  let preparation: MessagePreparation
  private let options: ChatOptions
  private let outbox: Outbox
  private let contactSync: ContactSync
  private let catchUp: CatchUp
  private let connection: Connection
  private let pendingMarks: PendingMarks
  private let deliveries: Deliveries
  private let searchIndexing: SearchIndexing
  private let typing: Typing
  private let presences = StatePublishers<UserID, Presence?>(nil)
  private let media: MediaCache
  private let mediaFetches: MediaFetches
  private let alerting: Alerts
  private let starred: StarredMessages
  private let phase: AppPhase
  private let lease: Lease
  private let sendEnds: SendEnds?
  private let state = Mutex(State())
  private static let longestSilence = Duration.seconds(15 * 60)

  private struct State {
    var work: [Task<Void, any Error>] = []
    /// The tasks that are stopping. New tasks start only after the stopping tasks have ended, since both use
    /// the same actors.
    var ending: [Task<Void, any Error>] = []
    var contexts: [ConversationID: WeakContext] = [:]
    var isErasing = false
    var isClosed = false
  }
  private struct WeakContext {
    weak var context: ChatContext?
  }

  /// Opens the account's database, or creates a new database. Before ``start()`` nothing is sent, and files
  /// and pages of history are fetched only when the app requests them.
  ///
  /// - Parameters:
  ///   - account: the signed-in user.
  ///   - backend: the adapter to the account's server.
  ///   - kinds: the kinds of message the app understands.
  ///   - runtime: clocks, randomness, tasks, and the folder of this account's files.
  /// - Throws: `StorageError` if the database file is not a database, is of a newer version, or can't be
  ///   opened; ``ChatError`` if the database belongs to another account, or if the backend has read marks but
  ///   no positions, or while another process erases the account's data. In these cases the file is not changed, with
  ///   one exception: another account's database of an older version is migrated.
  public static func open(
    account: UserID, backend: any ChatBackend, kinds: KindRegistry = .standard, runtime: Runtime,
    options: ChatOptions = ChatOptions()
  ) async throws -> ChatClient {
    let store = try await ChatStore.open(
      account: account, kinds: kinds, capabilities: backend.capabilities.abilities, runtime: runtime,
      participants: SendParticipants(options.sendParticipants), derivations: Derivations.all,
      maximumPages: options.maximumDatabasePages,
      keepRemovedFor: options.keepRemovedFor, key: options.databaseKey, connections: options.connections)
    let client = ChatClient(store: store, backend: RenewingBackend(backend), options: options)
    try await client.preparation.discardUnneededCopies()
    return client
  }

  private init(store: ChatStore, backend: RenewingBackend, options: ChatOptions) {
    account = store.account
    self.store = store
    self.backend = backend
    self.options = options
    conversations = ConversationList(store: store)
    contacts = ContactList(store: store)
    preparation = MessagePreparation(store: store, backend: backend)
    lease = Lease(store)
    let fencedStore = store.fenced(by: lease.fence)
    outbox = Outbox(
      store: fencedStore, backend: backend,
      preparation: MessagePreparation(store: fencedStore, backend: backend),
      policy: options.lanePolicy, giveUpAfter: options.giveUpAfter)
    phase = AppPhase()
    let launch = Launch(doorbell: phase.doorbell())
    contactSync = ContactSync(store: fencedStore, backend: backend, launch: launch, phase: phase)
    deliveries = Deliveries(store: fencedStore, backend: backend)
    searchIndexing = SearchIndexing(store: fencedStore)
    typing = Typing(store: store, backend: backend)
    media = MediaCache(
      backend: backend, runtime: store.runtime, limit: options.mediaCacheSize)
    mediaFetches = MediaFetches(store: store, cache: media, largest: options.largestFetchOnReceipt)
    alerting = Alerts(store: store, phase: phase, options: options.alerts)
    starred = StarredMessages(store: store)
    catchUp = CatchUp(
      store: fencedStore, backend: backend, outbox: outbox, contacts: contactSync, deliveries: deliveries,
      launch: launch,
      phase: phase, interval: options.pollInterval.clamped(to: .seconds(1)...Self.longestSilence),
      pageSize: options.catchUpPageSize.clamped(to: 1...500))
    pendingMarks = PendingMarks(store: fencedStore, backend: backend)
    connection = Connection(
      store: fencedStore, backend: backend, catchUp: catchUp, contacts: contactSync, outbox: outbox,
      pendingMarks: pendingMarks, typing: typing, presences: presences, doorbell: phase.doorbell())
    sendEnds = store.participants.isEmpty ? nil : SendEnds(store)
  }

  deinit {
    for task in state.withLock({ $0.work }) { task.cancel() }
  }

  // MARK: Running

  /// The state of the connection.
  public var connectionState: ConnectionState { connection.state.value }

  /// The state of the connection, now and on every change.
  public var connectionStates: AsyncStream<ConnectionState> { connection.state.updates }

  /// Whether the stored data is up to date with the server.
  public var catchUpState: CatchUpState { catchUp.state.value }

  /// Whether the stored data is up to date, now and on every change.
  public var catchUpStates: AsyncStream<CatchUpState> { catchUp.state.updates }

  /// Whether the contact list is up to date with the server.
  public var contactSyncState: ContactSyncState { contactSync.state.value }

  /// Whether the contact list is up to date, now and on every change.
  public var contactSyncStates: AsyncStream<ContactSyncState> { contactSync.state.updates }

  /// The messages that are still to be sent, and their states; empty while the client is stopped, and if another
  /// process sends.
  public var sendStatus: OutboxStatus { outbox.status.value }

  /// The messages that are still to be sent, and their states, now and on every change.
  public var sendStates: AsyncStream<OutboxStatus> { outbox.status.updates }

  /// Connects, catches up and sends waiting messages, until ``stop()``.
  ///
  /// Another call before ``stop()`` does nothing, even after the server has ended the session. If another process
  /// already has the connection, the client waits for its turn, and shows the changes of that process.
  public func start() {
    state.withLock { state in
      guard state.work.isEmpty else { return }
      let ending = state.ending
      state.ending = []
      state.work = [
        store.runtime.spawn {
          [
            backend, lease, connection, outbox, contactSync, catchUp, pendingMarks, deliveries,
            searchIndexing, typing, mediaFetches, store, weak self
          ] in
          for task in ending { _ = await task.result }
          backend.started()
          while await lease.take({ connection.state.publish(.elsewhere) }) {
            await outbox.started()
            await pendingMarks.started()
            await contactSync.started()
            await deliveries.started()
            await catchUp.started()
            await withTaskGroup(of: Void.self) { group in
              group.addTask { try? await outbox.run() }
              group.addTask { await contactSync.run() }
              group.addTask { await catchUp.run() }
              group.addTask { await connection.run() }
              group.addTask { await pendingMarks.run() }
              group.addTask { await deliveries.run() }
              group.addTask { await searchIndexing.run() }
              group.addTask { await typing.run() }
              group.addTask { await mediaFetches.run() }
              await lease.keep()
              group.cancelAll()
            }
            await catchUp.ended()
            await lease.letGo()
          }
          // ``stop()`` may have cancelled the wait after the file lock was acquired, but before the lease was
          // acquired.
          await lease.letGo()
          connection.state.publish(.stopped)
          // Closing waits for this task.
          if await lease.isErased { store.runtime.spawn { [weak self] in await self?.close() } }
        }
      ]
    }
  }

  /// Stops sending and receiving, and waits until both have ended. Interrupted work resumes at the next
  /// start, or at once in another process. When this method returns, no file is locked, so call this method
  /// before the system suspends the app.
  public func stop() async {
    let ending = state.withLock { state in
      for task in state.work { task.cancel() }
      state.ending += state.work
      state.work = []
      return state.ending
    }
    for task in ending { _ = await task.result }
    state.withLock { state in state.ending.removeAll { ending.contains($0) } }
  }

  /// Whether an erasure of the account's data has begun. Stays true after the erasure has ended.
  var isErasing: Bool { state.withLock { $0.isErasing } }

  func beginErasing() { state.withLock { $0.isErasing = true } }

  /// Stops the client, closes the database, and ends every loop over changes and states. Loops that begin later
  /// end too. Later calls that use the database throw `StorageError` with the code `closed`.
  public func close() async {
    await stop()
    let held = state.withLock { state in
      state.isClosed = true
      defer { state.contexts = [:] }
      return state.contexts.sorted { $0.key < $1.key }.compactMap(\.value.context)
    }
    for context in held { context.close() }
    conversations.close()
    contacts.close()
    connection.state.close()
    contactSync.state.close()
    typing.typists.close()
    presences.close()
    media.close()
    alerting.close()
    starred.close()
    catchUp.state.close()
    await store.database.close()
    await sendEnds?.close()
    outbox.status.close()
  }

  /// Whether the app is in the background; false until the app sets it. In the background the client does not
  /// poll the server, but the client still fetches pushed news and sends waiting messages. When the app
  /// returns to the foreground, the client fetches and connects at once, unless the server has requested a pause. This
  /// property may be set from anywhere, repeatedly.
  public var isInBackground: Bool {
    get { phase.isInBackground }
    set { phase.isInBackground = newValue }
  }

  /// Alerts for received messages and invitations; those received together cause one alert.
  ///
  /// Each loop is a listener of its own. Only the process that has the connection receives alerts.
  ///
  /// These messages cause no alert: messages of this account, messages of kinds that do not count as unread,
  /// messages already read on another device, and messages of closed chats. While the app is in the
  /// foreground, these messages cause no alert either: messages of the ``activeConversation``, and messages
  /// received while the client starts. A muted chat alerts only if one of the received messages mentions this
  /// account.
  ///
  /// An invitation causes one alert, unless it was listed by a sync from the beginning, has been answered, or is to a
  /// muted chat of a former member.
  public var alerts: AsyncStream<Alert> { alerting.updates }

  /// The chat on screen; nil if no chat is shown. While the app is in the foreground, the messages of this
  /// chat cause no alert. This property may be set from anywhere.
  public var activeConversation: ConversationID? {
    get { alerting.active }
    set { alerting.active = newValue }
  }

  /// The server's time, which dates all messages. Until the server has reported its time once, this is the
  /// device's time. Use this property to show the age of a message.
  public var now: Timestamp { store.clock.now }

  /// Whether a user is online; nil if the server does not report presence, if there is no connection, or if
  /// another process has the connection. Also nil until the server has reported the user's presence: when the
  /// push channel opens, a server may report only the users who are online. The presence is not stored.
  public func presence(of user: UserID) -> Presence? { presences[user].value }

  /// A user's presence, now and on every change.
  public func presenceUpdates(of user: UserID) -> AsyncStream<Presence?> { presences[user].updates }

  // MARK: Starred messages

  /// The messages that this account has starred, the latest star first.
  ///
  /// The list contains messages of all chats that are not closed, whether the messages are stored here or
  /// not. The list is up to date when ``ChatMessenger/star(_:)`` returns. Loading begins when the client is
  /// opened; until the list is loaded, it is empty.
  public var starredMessages: [FlaggedMessage] { starred.list.value }

  /// The starred messages, now and on every change.
  public var starredMessageUpdates: AsyncStream<[FlaggedMessage]> { starred.list.updates }

  // MARK: Conversations

  /// Finds or creates a conversation on this device, at once and also offline. A new conversation is opened
  /// on the server as soon as the server can be reached, before its first message is sent. A closed
  /// conversation is reopened, and a deleted conversation is listed again. The invitation to a conversation is accepted.
  public func open(_ request: ConversationRequest) async throws -> ConversationID {
    try await store.write(.powerCut) { try ConversationBook($0).open(request) }
  }

  /// Creates a group with a title and members, at once and also offline, like ``open(_:)``.
  public func openGroup(title: String, members: [UserID]) async throws -> ConversationID {
    try await open(.group(id: store.runtime.makeIdentifier(), title: title, members: members))
  }

  /// Returns the data engine of one conversation. While the app holds a reference to a context, further calls
  /// return the same context.
  public func context(for conversation: ConversationID) -> ChatContext {
    let (context, isClosed) = state.withLock { state -> (ChatContext, Bool) in
      if let context = state.contexts[conversation]?.context { return (context, state.isClosed) }
      let context = ChatContext(
        conversation: conversation, store: store, backend: backend,
        messenger: messenger(for: conversation), typing: typing,
        pageSize: options.pageSize.clamped(to: 1...500),
        windowSize: options.windowSize)
      state.contexts[conversation] = WeakContext(context: context)
      return (context, state.isClosed)
    }
    // A context of a closed client would try for ever to load its messages.
    if isClosed { context.close() }
    return context
  }

  /// Sends a message to a conversation without opening its list.
  @discardableResult
  public func send(_ content: some MessageContent, to conversation: ConversationID) async throws
    -> SentMessage
  {
    try await messenger(for: conversation).send(content)
  }

  /// Returns the number of messages that are still to be sent, over all conversations. Failed and uncertain messages
  /// do not count until they are retried.
  public func waitingMessageCount() async throws -> Int {
    try await store.read {
      try $0.waitingMessageCount()
    }
  }

  /// Returns the messages that are still to be sent, of all conversations, in the order in which they were queued.
  /// Failed and uncertain messages are not included until they are retried.
  public func waitingMessages() async throws -> [ChatMessage] {
    let (account, kinds) = (account, store.kinds)
    return try await store.read { rows in
      try rows.waitingMessages().map { $0.message(for: account, kinds: kinds) }
    }
  }

  /// Returns the failed and uncertain messages of all conversations, including closed ones, in the order in
  /// which the messages were stored. Messages deleted on this device are not included.
  public func failedMessages() async throws -> [ChatMessage] {
    let (account, kinds) = (account, store.kinds)
    return try await store.read { rows in
      try rows.failedMessages().map { $0.message(for: account, kinds: kinds) }
    }
  }

  /// Returns the known members of a conversation, in the order of their user ids.
  public func members(of conversation: ConversationID) async throws -> [UserID] {
    try await store.read {
      try $0.members(of: conversation).map(\.user)
    }
  }

  /// Returns an attachment's file. The file is fetched from the server if it is not kept on this device.
  /// Concurrent calls for one file share a successful fetch.
  ///
  /// The file belongs to the client, which removes files to stay within ``ChatOptions/mediaCacheSize``. Use
  /// or copy the file at once. When the file is needed later, call this method again: a removed file is then
  /// fetched again.
  ///
  /// - Throws: ``BackendError`` if the server does not return the file, `CocoaError` if the file can't be
  ///   stored, `StorageError` if the client is closed.
  public func file(for media: RemoteMedia) async throws -> URL { try await self.media.file(for: media) }

  /// Returns an attachment's file, if the file was fetched and is still kept.
  public func fetchedFile(for media: RemoteMedia) -> URL? { self.media.storedFile(for: media) }

  /// Fetches an attachment into a file, which appears whole or not at all.
  ///
  /// - Throws: ``BackendError`` if the server does not return the attachment.
  public func download(_ media: RemoteMedia, to file: URL) async throws {
    try await backend.require(\.media).download(media, to: file)
  }

  func messenger(for conversation: ConversationID) -> ChatMessenger {
    ChatMessenger(
      conversation: conversation, store: store, preparation: preparation, outbox: outbox)
  }
}
