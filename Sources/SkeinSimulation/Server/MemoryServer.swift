#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
package import Skein
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
    let message: IncomingMessage
    let change: Int
    let at: Duration
  }
  struct Room: Sendable {
    var info: ConversationInfo
    var messages: [Stored] = []
    /// How many messages the server has forgotten, the oldest ones.
    var trimmed = 0
    var readPositions: [UserID: Int64] = [:]
    var change = 0
    /// The changes with which it was shown again to those who had removed the other side.
    var shownSince: [UserID: Int] = [:]
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
    var books: [UserID: ContactBook] = [:]
    var connections: [(user: UserID, device: String, continuation: AsyncStream<BackendEvent>.Continuation)] =
      []
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
  private let now: @Sendable () -> Duration

  /// Makes a server that nobody has been to.
  ///
  /// - Parameter now: the server's own clock, for what it forgets after a while.
  package init(
    idempotency: BackendCapabilities.Idempotency = .forever,
    now: @escaping @Sendable () -> Duration = { .zero }
  ) {
    self.idempotency = idempotency
    self.now = now
  }

  /// Every post that reached it, repeated ones too.
  package var posts: [MessageID] { state.withLock { $0.posts } }
  /// How many files it was given.
  package var uploads: Int { state.withLock { $0.uploads } }

  /// A conversation's messages, in order.
  package func messages(in ref: ConversationRef) -> [IncomingMessage] {
    state.withLock { state in state.rooms.first { $0.info.ref == ref }?.messages.map(\.message) ?? [] }
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
      (state.rooms, state.change, state.books) = (backup.rooms, backup.change, backup.books)
      state.restorations += 1
      defer { state.connections = [] }
      return state.connections.map(\.continuation)
    }
    for continuation in cut { continuation.finish() }
  }

  /// Puts a message into a conversation as if another client had sent it.
  @discardableResult
  package func post(_ text: String, from sender: UserID, in ref: ConversationRef) throws -> IncomingMessage {
    let payload = Data(#"{"text":"\#(text)"}"#.utf8)
    return try post(
      OutgoingMessage(
        id: MessageID(rawValue: "\(sender.rawValue)-\(text)"), conversation: ref, kind: "text",
        payload: payload),
      from: sender)
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

  /// The newest change; a cursor that has it has seen everything.
  package var latestChange: Int { state.withLock { $0.change } }

  /// A conversation as the server describes it to a user.
  package func info(_ ref: ConversationRef, for user: UserID) -> ConversationInfo? {
    state.withLock { state in
      state.rooms.first { $0.info.ref == ref }.map { Self.info($0.info, for: user, in: state.rooms) }
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

  /// Ends the push channels of one device.
  package func disconnect(_ device: String) {
    let cut = state.withLock { state in
      defer { state.connections.removeAll { $0.device == device } }
      return state.connections.filter { $0.device == device }.map(\.continuation)
    }
    for continuation in cut { continuation.finish() }
  }

  // MARK: What the backends call

  /// Throws while the network is down.
  package func checkReachable() throws {
    guard state.withLock({ $0.isReachable }) else {
      throw BackendError(.unreachable, "The network is down.")
    }
  }

  /// Opens a push channel; it ends when it is cut.
  package func connect(_ user: UserID, on device: String = "") throws -> AsyncStream<BackendEvent> {
    try checkReachable()
    let (stream, continuation) = AsyncStream<BackendEvent>.makeStream(bufferingPolicy: .bufferingNewest(8))
    state.withLock { $0.connections.append((user, device, continuation)) }
    continuation.yield(.connected)
    return stream
  }

  /// Opens a conversation, or finds it.
  package func open(_ request: ConversationRequest, by user: UserID) throws -> ConversationInfo {
    try checkReachable()
    return state.withLock { state in
      let ref: ConversationRef
      var info: ConversationInfo
      switch request {
      case .direct(let peer):
        let pair = [user.rawValue, peer.rawValue].sorted()
        ref = ConversationRef(rawValue: pair.joined(separator: "+"))
        info = ConversationInfo(ref: ref, type: .direct, members: pair.map { UserID(rawValue: $0) })
      case .group(let id, let title, let members):
        ref = ConversationRef(rawValue: "group-\(id)")
        info = ConversationInfo(ref: ref, type: .group, title: title, members: [user] + members)
      }
      if !state.rooms.contains(where: { $0.info.ref == ref }) {
        state.change += 1
        state.rooms.append(Room(info: info, change: state.change))
        state.addContacts(of: info, of: info.members ?? [])
      } else {
        state.addContacts(of: info, of: [user])
      }
      info = Self.info(state.rooms.first { $0.info.ref == ref }?.info ?? info, for: user, in: state.rooms)
      return info
    }
  }

  /// Takes a message, unless the next fault is in the way.
  package func send(_ message: OutgoingMessage, from user: UserID) throws -> SendReceipt {
    let fault = state.withLock { state in state.faults.isEmpty ? Fault.none : state.faults.removeFirst() }
    try checkReachable()
    switch fault {
    case .requestLost: throw BackendError(.unreachable, "The request was lost.")
    case .refused: throw BackendError(.permanent, "The server does not take this.")
    case .busy(let retryAfter):
      throw BackendError(.transient, "The server is busy.", retryAfter: retryAfter)
    case .none, .responseLost: break
    }
    let stored = try post(message, from: user)
    if fault == .responseLost {
      throw BackendError(.transient, "The response was lost.", outcomeIsUnknown: true)
    }
    return SendReceipt(serverID: stored.serverID, position: stored.position, time: stored.time)
  }

  private func post(_ message: OutgoingMessage, from user: UserID) throws -> IncomingMessage {
    let (stored, pokes) = try state.withLock { state in
      state.posts.append(message.id)
      guard let room = state.rooms.firstIndex(where: { $0.info.ref == message.conversation }),
        state.rooms[room].info.members?.contains(user) == true
      else { throw BackendError(.permanent, "There is no such conversation.") }
      let known = state.rooms[room].messages.first {
        $0.message.sender == user && $0.message.messageID == message.id && remembers($0)
      }
      if let known {
        return (known.message, [AsyncStream<BackendEvent>.Continuation]())
      }
      state.change += 1
      let position = Int64(state.rooms[room].trimmed + state.rooms[room].messages.count + 1)
      let stored = IncomingMessage(
        serverID: ServerMessageID(rawValue: "\(message.conversation.rawValue)/\(position)"),
        messageID: message.id, sender: user, position: Position(rawValue: position),
        time: Timestamp(milliseconds: Int64(state.change)), kind: message.kind, payload: message.payload,
        parameters: message.parameters)
      state.rooms[room].messages.append(Stored(message: stored, change: state.change, at: now()))
      state.rooms[room].change = state.change
      let members = state.rooms[room].info.members ?? []
      return (stored, state.connections.filter { members.contains($0.user) }.map(\.continuation))
    }
    for poke in pokes { poke.yield(.poke) }
    return stored
  }

  /// What the server promises of ids: of a window less than it keeps, since a request may be on its way for longer than its
  /// sender waits.
  package var promise: BackendCapabilities.Idempotency {
    if case .window(let duration) = idempotency { return .window(duration - .seconds(60)) }
    return idempotency
  }

  private func remembers(_ stored: Stored) -> Bool {
    switch idempotency {
    case .forever: true
    case .window(let duration): now() - stored.at <= duration
    case .none: false
    }
  }

  /// What happened since a cursor, in all of a user's conversations at once.
  package func sync(since cursor: SyncCursor?, limit: Int, for user: UserID) throws -> SyncBatch {
    try checkReachable()
    return state.withLock { state in
      let since = cursor.flatMap { Int($0.rawValue) } ?? 0
      let changed = state.rooms.filter { room in
        (room.change > since || room.shownSince[user] ?? 0 > since) && state.shows(room.info, to: user)
      }
      let deltas = changed.map { room in
        // What was hidden from the asker is told from its beginning.
        let known = room.shownSince[user] ?? 0 > since ? 0 : since
        let new = room.messages.filter { $0.change > known }.map(\.message)
        let mark = room.readPositions[user] ?? 0
        return ConversationDelta(
          info: Self.info(room.info, for: user, in: state.rooms), count: new.count,
          unread: room.messages.count {
            ($0.message.position?.rawValue ?? 0) > mark && $0.message.sender != user
          },
          messages: new.suffix(limit))
      }
      return SyncBatch(
        from: cursor, next: SyncCursor(rawValue: String(state.change)), epoch: state.epoch,
        conversations: deltas, contactVersion: state.books[user].map { $0.newest })
    }
  }

  /// One page of a conversation.
  package func history(of ref: ConversationRef, at anchor: HistoryAnchor, limit: Int) throws -> HistoryPage {
    try checkReachable()
    guard rooms().contains(ref) else { throw BackendError(.permanent, "There is no such conversation.") }
    let (all, epoch) = (messages(in: ref), state.withLock { $0.epoch })
    let page: ArraySlice<IncomingMessage>
    switch anchor {
    case .newest: page = all.suffix(limit)
    case .before(let position): page = all.prefix { $0.isBefore(position) }.suffix(limit)
    case .after(let position):
      page = all.drop { $0.isBefore(position) || $0.position == position }.prefix(limit)
    case .around(let position): page = all.page(around: all.firstIndex { $0.position == position }, limit)
    case .time(let time): page = all.page(around: all.firstIndex { $0.time >= time }, limit)
    case .message(let id):
      guard let index = all.firstIndex(where: { $0.serverID == id }) else {
        throw BackendError(.permanent, "There is no such message.")
      }
      page = all.page(around: index, limit)
    case .token: throw BackendError(.unsupported, "This server's history has positions and no tokens.")
    }
    return HistoryPage(
      messages: Array(page), reachesStart: page.startIndex == all.startIndex,
      reachesEnd: page.endIndex == all.endIndex, epoch: epoch)
  }

  /// Forgets all but the newest messages of a conversation, as servers do that keep history for a while.
  package func trim(_ ref: ConversationRef, keeping count: Int) {
    state.withLock { state in
      guard let room = state.rooms.firstIndex(where: { $0.info.ref == ref }) else { return }
      let kept = state.rooms[room].messages.suffix(count)
      state.rooms[room].trimmed += state.rooms[room].messages.count - kept.count
      state.rooms[room].messages = Array(kept)
    }
  }

  /// Moves a user's read mark forward.
  package func markRead(_ ref: ConversationRef, upTo position: Position, by user: UserID) throws {
    try checkReachable()
    state.withLock { state in
      guard let room = state.rooms.firstIndex(where: { $0.info.ref == ref }) else { return }
      state.change += 1
      state.rooms[room].change = state.change
      state.rooms[room].readPositions[user] = max(
        state.rooms[room].readPositions[user] ?? 0, position.rawValue)
    }
  }

  /// Takes a file; a small one is named by what it holds.
  package func upload(_ source: UploadSource) throws -> RemoteMedia {
    try checkReachable()
    let data = try Data(contentsOf: source.file)
    let name = data.count < 100 ? String(decoding: data, as: UTF8.self) : String(data.count)
    let media = RemoteMedia(id: "media-\(name)", size: Int64(data.count), type: source.type)
    state.withLock { state in
      state.uploads += 1
      state.media.insert(media.id)
    }
    return media
  }

  private static func info(_ info: ConversationInfo, for user: UserID, in rooms: [Room]) -> ConversationInfo {
    var info = info
    if info.type == .direct { info.peer = info.members?.first { $0 != user } }
    info.readPosition = rooms.first { $0.info.ref == info.ref }?.readPositions[user].map {
      Position(rawValue: $0)
    }
    return info
  }
}

extension IncomingMessage {
  fileprivate func isBefore(_ other: Position) -> Bool { position.map { $0 < other } ?? false }
}

extension [IncomingMessage] {
  /// A page with a message in its middle where there is enough on both sides; the newest messages where there is none.
  fileprivate func page(around index: Int?, _ limit: Int) -> ArraySlice<IncomingMessage> {
    let first = Swift.max(Swift.min((index ?? count) - limit / 2, count - limit), 0)
    return dropFirst(first).prefix(limit)
  }
}
