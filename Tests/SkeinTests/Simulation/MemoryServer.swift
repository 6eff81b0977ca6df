import Foundation
import Skein
import Synchronization

/// A chat server in memory, with a dense sequence per conversation, and a network that can be made to misbehave.
final class MemoryServer: Sendable {
  struct Stored: Sendable {
    let message: IncomingMessage
    let change: Int
  }
  struct Room: Sendable {
    var info: ConversationInfo
    var messages: [Stored] = []
    var readPositions: [UserID: Int64] = [:]
    var change = 0
  }
  /// What happens to the next posts, one after the other.
  enum Fault: Sendable, Equatable {
    case none
    /// Nothing reaches the server.
    case requestLost
    /// The server has it, and the sender does not hear of it.
    case responseLost
    case refused
    case busy(retryAfter: Duration?)
  }
  private struct State {
    var rooms: [Room] = []
    var change = 0
    var connections: [(user: UserID, continuation: AsyncStream<BackendEvent>.Continuation)] = []
    var faults: [Fault] = []
    var isReachable = true
    var posts: [MessageID] = []
    var uploads = 0
  }
  private let state = Mutex(State())

  var posts: [MessageID] { state.withLock { $0.posts } }
  var uploads: Int { state.withLock { $0.uploads } }

  func messages(in ref: ConversationRef) -> [IncomingMessage] {
    state.withLock { state in state.rooms.first { $0.info.ref == ref }?.messages.map(\.message) ?? [] }
  }

  func rooms() -> [ConversationRef] { state.withLock { $0.rooms.map(\.info.ref) } }

  func fail(next faults: [Fault]) { state.withLock { $0.faults += faults } }

  /// Cuts every connection and refuses new ones, or lets them in again.
  func setReachable(_ isReachable: Bool) {
    let cut = state.withLock { state -> [AsyncStream<BackendEvent>.Continuation] in
      state.isReachable = isReachable
      guard !isReachable else { return [] }
      defer { state.connections = [] }
      return state.connections.map(\.continuation)
    }
    for continuation in cut { continuation.finish() }
  }

  /// Puts a message into a conversation as if another client had sent it.
  @discardableResult
  func post(_ text: String, from sender: UserID, in ref: ConversationRef) throws -> IncomingMessage {
    let payload = Data(#"{"text":"\#(text)"}"#.utf8)
    return try post(
      OutgoingMessage(
        id: MessageID(rawValue: "\(sender.rawValue)-\(text)"), conversation: ref, kind: "text",
        payload: payload),
      from: sender)
  }

  // MARK: What the backends call

  func checkReachable() throws {
    guard state.withLock({ $0.isReachable }) else {
      throw BackendError(.unreachable, "The network is down.")
    }
  }

  func connect(_ user: UserID) throws -> AsyncStream<BackendEvent> {
    try checkReachable()
    let (stream, continuation) = AsyncStream<BackendEvent>.makeStream(bufferingPolicy: .bufferingNewest(8))
    state.withLock { $0.connections.append((user, continuation)) }
    continuation.yield(.connected)
    return stream
  }

  func open(_ request: ConversationRequest, by user: UserID) throws -> ConversationInfo {
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
      }
      info = Self.info(state.rooms.first { $0.info.ref == ref }?.info ?? info, for: user, in: state.rooms)
      return info
    }
  }

  func send(_ message: OutgoingMessage, from user: UserID) throws -> SendReceipt {
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
      guard let room = state.rooms.firstIndex(where: { $0.info.ref == message.conversation }) else {
        throw BackendError(.permanent, "There is no such conversation.")
      }
      if let known = state.rooms[room].messages.first(where: {
        $0.message.sender == user && $0.message.messageID == message.id
      }) {
        return (known.message, [AsyncStream<BackendEvent>.Continuation]())
      }
      state.change += 1
      let position = Int64(state.rooms[room].messages.count + 1)
      let stored = IncomingMessage(
        serverID: ServerMessageID(rawValue: "\(message.conversation.rawValue)/\(position)"),
        messageID: message.id, sender: user, position: Position(rawValue: position),
        time: Timestamp(milliseconds: Int64(state.change)), kind: message.kind, payload: message.payload)
      state.rooms[room].messages.append(Stored(message: stored, change: state.change))
      state.rooms[room].change = state.change
      let members = state.rooms[room].info.members ?? []
      return (stored, state.connections.filter { members.contains($0.user) }.map(\.continuation))
    }
    for poke in pokes { poke.yield(.poke) }
    return stored
  }

  func sync(since cursor: SyncCursor?, limit: Int, for user: UserID) throws -> SyncBatch {
    try checkReachable()
    return state.withLock { state in
      let since = cursor.flatMap { Int($0.rawValue) } ?? 0
      let changed = state.rooms.filter { $0.change > since && $0.info.members?.contains(user) == true }
      let deltas = changed.map { room in
        let new = room.messages.filter { $0.change > since }.map(\.message)
        let mark = room.readPositions[user] ?? 0
        return ConversationDelta(
          info: Self.info(room.info, for: user, in: state.rooms), count: new.count,
          unread: room.messages.count {
            ($0.message.position?.rawValue ?? 0) > mark && $0.message.sender != user
          },
          messages: new.suffix(limit))
      }
      return SyncBatch(
        from: cursor, next: SyncCursor(rawValue: String(state.change)), epoch: Epoch(rawValue: "one"),
        conversations: deltas)
    }
  }

  func history(of ref: ConversationRef, at anchor: HistoryAnchor, limit: Int) throws -> HistoryPage {
    try checkReachable()
    let all = messages(in: ref)
    let page: ArraySlice<IncomingMessage>
    switch anchor {
    case .before(let position): page = all.prefix(max(Int(position.rawValue) - 1, 0)).suffix(limit)
    case .after(let position): page = all.dropFirst(Int(position.rawValue)).prefix(limit)
    default: page = all.suffix(limit)
    }
    return HistoryPage(
      messages: Array(page), reachesStart: page.startIndex == 0, reachesEnd: page.endIndex == all.endIndex)
  }

  func markRead(_ ref: ConversationRef, upTo position: Position, by user: UserID) throws {
    try checkReachable()
    state.withLock { state in
      guard let room = state.rooms.firstIndex(where: { $0.info.ref == ref }) else { return }
      state.change += 1
      state.rooms[room].change = state.change
      state.rooms[room].readPositions[user] = max(
        state.rooms[room].readPositions[user] ?? 0, position.rawValue)
    }
  }

  func upload(_ source: UploadSource) throws -> RemoteMedia {
    try checkReachable()
    let data = try Data(contentsOf: source.file)
    state.withLock { $0.uploads += 1 }
    return RemoteMedia(id: "media-\(data.count)", size: Int64(data.count), type: source.type)
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
