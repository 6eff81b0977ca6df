package import SkeinModel
import Synchronization

/// The state of a ``MemoryServer`` at one moment.
package struct MemoryServerBackup: Sendable {
  let rooms: [MemoryServer.Room]
  let change: Int
  let books: [UserID: ContactBook]
}

/// A chat server in memory, with dense positions per conversation and a network that can be made to fail.
package final class MemoryServer: Sendable {
  struct Stored: Sendable {
    var message: IncomingMessage
    /// The message as it was posted.
    let posted: IncomingMessage
    let change: Int
    let at: Duration
    /// The change in which the message was last edited, recalled, reacted to or pinned; 0 if this never
    /// happened.
    var revised = 0
    var actions: Set<ActionID> = []
    /// The users' stars, including removed stars.
    var stars: [UserID: Star] = [:]
  }
  /// A user's star on a message, which no other user sees.
  struct Star: Sendable {
    /// When the star was set; nil if the star was removed.
    var time: Timestamp?
    /// How often the star was set or removed.
    var revision: Int64 = 0
    /// The change in which the star was last set or removed.
    var change = 0
  }
  struct Room: Sendable {
    var info: ConversationInfo
    var messages: [Stored] = []
    /// The number of oldest messages that the server no longer returns. The server still knows their ids.
    var trimmed = 0
    var readPositions: [UserID: Int64] = [:]
    var delivered: [UserID: Int64] = [:]
    var change = 0
    /// The changes in which the room became visible again to users who had removed the peer as a contact or
    /// left the group.
    var shownSince: [UserID: Int] = [:]
    /// The changes in which users last set or removed a star.
    var starredSince: [UserID: Int] = [:]
    /// Each user's settings.
    var settings: [UserID: BackendCapabilities.Settings] = [:]
    /// The changes in which users last changed a setting.
    var settingsSince: [UserID: Int] = [:]
    /// The last invitation of each user who was invited.
    var invitations: [UserID: Invitation] = [:]
    /// The members who were invited.
    var invitedMembers: Set<UserID> = []
    /// How often the ref was replaced, and the change in which it was last replaced.
    var replacements = (count: 0, change: 0)

    /// The messages that the server still returns.
    var kept: ArraySlice<Stored> { messages.dropFirst(trimmed) }
  }
  /// A fault of one of the next posts.
  package enum Fault: Sendable, Equatable {
    /// No fault.
    case none
    /// The request does not reach the server.
    case requestLost
    /// The server stores the message, but the sender receives no response.
    case responseLost
    /// The server refuses the message permanently.
    case refused
    /// The server asks the client to retry later.
    case busy(retryAfter: Duration?)
  }
  struct State {
    var rooms: [Room] = []
    var change = 0
    /// How often the server was restored from a backup.
    var restorations = 0
    /// The number of changes that restorations have undone. Without a clock, a time is `change + undone`, so
    /// that times never go back.
    var undone = 0
    /// How often each ref was replaced. A replaced ref is not used again, even if the server is restored.
    var replacements: [ConversationRef: Int] = [:]
    var books: [UserID: ContactBook] = [:]
    var connections: [Connection] = [] {
      didSet { reportPresences(since: oldValue) }
    }
    /// The number of push channels that were ever opened.
    var connected = 0
    var faults: [Fault] = []
    var isReachable = true
    var posts: [MessageID] = []
    var uploads = 0
    var begunUploads = 0
    /// The hash of each file whose upload has begun and not ended.
    var partialUploads: [UploadToken: String] = [:]
    var media: Set<String> = []

    var epoch: Epoch { Epoch(rawValue: String(restorations)) }
  }
  let state = Mutex(State())
  /// How long the server recognizes message ids. After this time, the server forgets an id.
  package let idempotency: BackendCapabilities.Idempotency
  /// How clients behind a network see the order of messages; a ``MemoryBackend`` sees the server's own numbers.
  let order: ServerOrder
  let now: @Sendable () -> Duration
  private let clock: (@Sendable () -> Timestamp)?

  /// Creates an empty server.
  ///
  /// - Parameters:
  ///   - now: The server's uptime, which decides when it forgets message ids.
  ///   - clock: The server's clock, whose time is given to messages and sent with every sync. Without a
  ///     clock, the times of messages are a counter.
  package convenience init(
    idempotency: BackendCapabilities.Idempotency = .forever,
    now: @escaping @Sendable () -> Duration = { .zero }, clock: (@Sendable () -> Timestamp)? = nil
  ) {
    self.init(idempotency: idempotency, order: .dense, now: now, clock: clock)
  }

  init(
    idempotency: BackendCapabilities.Idempotency, order: ServerOrder, now: @escaping @Sendable () -> Duration,
    clock: (@Sendable () -> Timestamp)?
  ) {
    self.idempotency = idempotency
    self.order = order
    self.now = now
    self.clock = clock
  }

  /// The server's time; nil if the server does not send it.
  package var time: Timestamp? { clock?() }

  /// The message ids of all posts that no fault stopped, including repeated posts. Messages that were put
  /// into a conversation many at once are not included.
  package var posts: [MessageID] { state.withLock { $0.posts } }
  /// The number of uploads.
  package var uploads: Int { state.withLock { $0.uploads } }

  /// All messages of a conversation, in order, including those that the server no longer returns.
  package func messages(in ref: ConversationRef) -> [IncomingMessage] {
    state.withLock { state in state.rooms.first { $0.info.ref == ref.original }?.messages.map(\.message) ?? []
    }
  }

  /// The messages of a conversation as a user sees them, in order, including those that the server no
  /// longer returns.
  package func messages(
    in ref: ConversationRef, for user: UserID, where isMeant: (IncomingMessage) -> Bool = { _ in true }
  ) -> [IncomingMessage] {
    state.withLock { state in
      guard let room = state.rooms.first(where: { $0.info.ref == ref.original }) else { return [] }
      return room.messages.filter { isMeant($0.message) }.map { room.shown($0, to: user) }
    }
  }

  /// All messages of a conversation as they were posted, without later revisions.
  package func posted(in ref: ConversationRef) -> [IncomingMessage] {
    state.withLock { state in state.rooms.first { $0.info.ref == ref.original }?.messages.map(\.posted) ?? []
    }
  }

  /// All conversations, in the order in which they were opened.
  package func rooms() -> [ConversationRef] { state.withLock { $0.rooms.map(\.ref) } }

  /// Adds faults for the next posts, one fault for each post.
  package func fail(next faults: [Fault]) { state.withLock { $0.faults += faults } }

  /// Cuts every push channel and refuses all requests, or accepts requests again.
  package func setReachable(_ isReachable: Bool) {
    let cut = state.withLock { state -> [AsyncStream<BackendEvent>.Continuation] in
      state.isReachable = isReachable
      guard !isReachable else { return [] }
      defer { state.connections = [] }
      return state.connections.map(\.continuation)
    }
    for continuation in cut { continuation.finish() }
  }

  /// The current epoch of the server's history.
  package var epoch: Epoch { state.withLock { $0.epoch } }
  /// Whether the server was ever restored from a backup.
  package var wasRestored: Bool { state.withLock { $0.restorations > 0 } }

  /// Makes a backup of everything but the files.
  package func backup() -> MemoryServerBackup {
    state.withLock { MemoryServerBackup(rooms: $0.rooms, change: $0.change, books: $0.books) }
  }

  /// Restores a backup, begins a new epoch and ends all push channels. Positions, cursors and versions of the
  /// undone changes are assigned again, to other content.
  package func restore(_ backup: MemoryServerBackup) {
    let cut = state.withLock { state in
      state.undone += state.change - backup.change
      (state.rooms, state.change, state.books) = (backup.rooms, backup.change, backup.books)
      for room in state.rooms.indices {
        let count = state.replacements[state.rooms[room].info.ref] ?? 0
        state.rooms[room].replacements = (count, state.change)
      }
      state.restorations += 1
      defer { state.connections = [] }
      return state.connections.map(\.continuation)
    }
    for continuation in cut { continuation.finish() }
  }

  // MARK: Queries of the simulation

  /// Whether the server has a message with this id from this sender.
  package func knows(_ id: MessageID, from user: UserID) -> Bool {
    state.withLock { state in
      state.rooms.contains { room in
        room.messages.contains { $0.message.messageID == id && $0.message.sender == user }
      }
    }
  }

  /// Whether the media server has a file.
  package func holds(_ media: RemoteMedia) -> Bool { state.withLock { $0.media.contains(media.id) } }

  /// The newest change that is visible to a user. A cursor that has reached this change is up to date.
  package func latestChange(for user: UserID) -> Int {
    state.withLock { state in
      let shown = state.rooms.filter { state.shows($0.info, to: user) }
      let invitations = state.rooms.compactMap { $0.invitations[user]?.change }
      return (shown.map { $0.lastChange(for: user) } + invitations).max() ?? 0
    }
  }

  /// A conversation as the server describes it to a user.
  package func info(_ ref: ConversationRef, for user: UserID) -> ConversationInfo? {
    state.withLock { state in
      state.rooms.first { $0.info.ref == ref.original }.map { $0.info(for: user) }
    }
  }

  /// The messages of a conversation up to a cursor, in order.
  package func messages(in ref: ConversationRef, upTo cursor: SyncCursor?) -> [IncomingMessage] {
    let change = cursor.flatMap { Int($0.rawValue) } ?? 0
    return state.withLock { state in
      let room = state.rooms.first { $0.info.ref == ref.original }
      return room?.messages.filter { $0.change <= change }.map(\.message) ?? []
    }
  }

  /// The number of a conversation's oldest messages that the server no longer returns.
  package func trimmed(_ ref: ConversationRef) -> Int {
    state.withLock { state in state.rooms.first { $0.info.ref == ref.original }?.trimmed ?? 0 }
  }

  /// Ends the push channels of one device.
  package func disconnect(_ device: String) { disconnect { $0.device == device } }

  /// Ends the push channels of one user.
  package func disconnect(_ user: UserID) { disconnect { $0.user == user } }

  private func disconnect(where isMeant: @Sendable (Connection) -> Bool) {
    let cut = state.withLock { state in
      defer { state.connections.removeAll(where: isMeant) }
      return state.connections.filter(isMeant).map(\.continuation)
    }
    for continuation in cut { continuation.finish() }
  }

  /// Throws while the network is down.
  package func checkReachable() throws {
    guard state.withLock({ $0.isReachable }) else {
      throw BackendError(.unreachable, "The network is down.")
    }
  }
}
