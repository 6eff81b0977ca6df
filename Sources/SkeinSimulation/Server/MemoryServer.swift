package import SkeinModel
import Synchronization

/// What a ``MemoryServer`` had at one moment.
package struct MemoryServerBackup: Sendable {
  let rooms: [MemoryServer.Room]
  let change: Int
  let books: [UserID: ContactBook]
}

/// A chat server in memory, with a dense sequence per conversation, and a network that can be made to misbehave.
package final class MemoryServer: Sendable {
  struct Stored: Sendable {
    var message: IncomingMessage
    /// What it was when it came.
    let posted: IncomingMessage
    let change: Int
    let at: Duration
    /// The change with which it was last edited, recalled, reacted to or pinned; 0 where it never was.
    var revised = 0
    var revisions: Set<RevisionID> = []
  }
  struct Room: Sendable {
    var info: ConversationInfo
    var messages: [Stored] = []
    /// How many messages the server does not hand out any more, the oldest ones; it still knows their ids.
    var trimmed = 0
    var readPositions: [UserID: Int64] = [:]
    var delivered: [UserID: Int64] = [:]
    var change = 0
    /// The changes with which it was shown again to those who had removed the other side, or were not in it.
    var shownSince: [UserID: Int] = [:]

    /// What the server still hands out.
    var kept: ArraySlice<Stored> { messages.dropFirst(trimmed) }
  }
  /// What happens to the next posts, one after the other.
  package enum Fault: Sendable, Equatable {
    /// Nothing happens to it.
    case none
    /// Nothing reaches the server.
    case requestLost
    /// The server has it, and the sender does not hear of it.
    case responseLost
    /// The server does not take it, ever.
    case refused
    /// The server asks for patience.
    case busy(retryAfter: Duration?)
  }
  struct State {
    var rooms: [Room] = []
    var change = 0
    /// How often it was restored.
    var restorations = 0
    /// What was undone by that: where messages are counted instead of dated, the count goes on.
    var undone = 0
    var books: [UserID: ContactBook] = [:]
    var connections: [Connection] = [] {
      didSet { tellPresences(since: oldValue) }
    }
    /// How many push channels there ever were.
    var connected = 0
    var faults: [Fault] = []
    var isReachable = true
    var posts: [MessageID] = []
    var uploads = 0
    var media: Set<String> = []

    var epoch: Epoch { Epoch(rawValue: String(restorations)) }
  }
  let state = Mutex(State())
  /// For how long the server knows a message id again; it really forgets.
  package let idempotency: BackendCapabilities.Idempotency
  let now: @Sendable () -> Duration
  private let clock: (@Sendable () -> Timestamp)?

  /// Makes a server that nobody has been to.
  ///
  /// - Parameters:
  ///   - now: the server's uptime, for what it forgets after a while.
  ///   - clock: the server's clock, which dates messages and is told with every sync; without one, messages are counted.
  package init(
    idempotency: BackendCapabilities.Idempotency = .forever,
    now: @escaping @Sendable () -> Duration = { .zero }, clock: (@Sendable () -> Timestamp)? = nil
  ) {
    self.idempotency = idempotency
    self.now = now
    self.clock = clock
  }

  /// What time it is here; nil where the server does not tell.
  package var time: Timestamp? { clock?() }

  /// Every post that reached it, repeated ones too.
  package var posts: [MessageID] { state.withLock { $0.posts } }
  /// How many files it was given.
  package var uploads: Int { state.withLock { $0.uploads } }

  /// Every message that a conversation ever got, in order.
  package func messages(in ref: ConversationRef) -> [IncomingMessage] {
    state.withLock { state in state.rooms.first { $0.info.ref == ref }?.messages.map(\.message) ?? [] }
  }

  /// The same, each as it was when it came, whatever was done to it since.
  package func posted(in ref: ConversationRef) -> [IncomingMessage] {
    state.withLock { state in state.rooms.first { $0.info.ref == ref }?.messages.map(\.posted) ?? [] }
  }

  /// Every conversation, in the order in which they were opened.
  package func rooms() -> [ConversationRef] { state.withLock { $0.rooms.map(\.info.ref) } }

  /// Lets the next posts go wrong, one after the other.
  package func fail(next faults: [Fault]) { state.withLock { $0.faults += faults } }

  /// Cuts every connection and refuses new ones, or lets them in again.
  package func setReachable(_ isReachable: Bool) {
    let cut = state.withLock { state -> [AsyncStream<BackendEvent>.Continuation] in
      state.isReachable = isReachable
      guard !isReachable else { return [] }
      defer { state.connections = [] }
      return state.connections.map(\.continuation)
    }
    for continuation in cut { continuation.finish() }
  }

  /// The life of its history.
  package var epoch: Epoch { state.withLock { $0.epoch } }
  /// Whether it was ever set back.
  package var wasRestored: Bool { state.withLock { $0.restorations > 0 } }

  /// Takes a backup of all but the files.
  package func backup() -> MemoryServerBackup {
    state.withLock { MemoryServerBackup(rooms: $0.rooms, change: $0.change, books: $0.books) }
  }

  /// Goes back to a backup, and begins a new epoch. Positions, cursors and versions come up once more, for other things.
  package func restore(_ backup: MemoryServerBackup) {
    let cut = state.withLock { state in
      state.undone += state.change - backup.change
      (state.rooms, state.change, state.books) = (backup.rooms, backup.change, backup.books)
      state.restorations += 1
      defer { state.connections = [] }
      return state.connections.map(\.continuation)
    }
    for continuation in cut { continuation.finish() }
  }

  // MARK: What a simulation asks

  /// Whether the server has a message of this sender under this id.
  package func knows(_ id: MessageID, from user: UserID) -> Bool {
    state.withLock { state in
      state.rooms.contains { room in
        room.messages.contains { $0.message.messageID == id && $0.message.sender == user }
      }
    }
  }

  /// Whether the media server has a file.
  package func holds(_ media: RemoteMedia) -> Bool { state.withLock { $0.media.contains(media.id) } }

  /// The newest change that a user's devices are told of; a cursor that has it has seen everything.
  package func latestChange(for user: UserID) -> Int {
    state.withLock { state in
      let shown = state.rooms.filter { state.shows($0.info, to: user) }
      return shown.map { max($0.change, $0.shownSince[user] ?? 0) }.max() ?? 0
    }
  }

  /// A conversation as the server describes it to a user.
  package func info(_ ref: ConversationRef, for user: UserID) -> ConversationInfo? {
    state.withLock { state in
      state.rooms.first { $0.info.ref == ref }.map { $0.info(for: user) }
    }
  }

  /// The messages of a conversation that a cursor covers, in order.
  package func messages(in ref: ConversationRef, upTo cursor: SyncCursor?) -> [IncomingMessage] {
    let change = cursor.flatMap { Int($0.rawValue) } ?? 0
    return state.withLock { state in
      let room = state.rooms.first { $0.info.ref == ref }
      return room?.messages.filter { $0.change <= change }.map(\.message) ?? []
    }
  }

  /// How many of a conversation's messages the server does not hand out any more, the oldest ones.
  package func trimmed(_ ref: ConversationRef) -> Int {
    state.withLock { state in state.rooms.first { $0.info.ref == ref }?.trimmed ?? 0 }
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
