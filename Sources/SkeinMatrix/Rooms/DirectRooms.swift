import SkeinModel

/// The account's one-to-one chats: the account data `m.direct`, which all clients of the account share.
actor DirectRooms {
  static let type = "m.direct"
  private let calls: MatrixCalls
  private let user: UserID
  /// The rooms of each user, in the order of the account data; nil if not known yet.
  private var rooms: [String: [String]]?
  /// The chats that this process has added. An answer that was requested before does not list them yet.
  private var added: [ConversationRef: UserID] = [:]
  /// The last change. Each change fetches the account data and stores all of it, so the next one waits for it.
  private var last: Task<Void, any Error>?

  init(_ calls: MatrixCalls, _ user: UserID) { (self.calls, self.user) = (calls, user) }

  /// Replaces what is known with the content of the account data.
  func learn(_ content: JSONValue) { rooms = (content.object ?? [:]).mapValues(\.strings) }

  /// The other user of each one-to-one chat. A room that is listed under several users belongs to the first user.
  func peers() async throws -> [ConversationRef: UserID] {
    if rooms == nil {
      let fetched = try await fetched()
      rooms = rooms ?? fetched
    }
    let rooms = rooms ?? [:]
    let pairs = rooms.keys.sorted().flatMap { user in
      (rooms[user] ?? []).map { (ConversationRef(rawValue: $0), UserID(rawValue: user)) }
    }
    return Dictionary(pairs) { first, _ in first }.merging(added) { listed, _ in listed }
  }

  /// The chats with one user, as another device may have changed them.
  func rooms(with peer: UserID) async throws -> [ConversationRef] {
    rooms = try await fetched()
    return (rooms?[peer.rawValue] ?? []).map { ConversationRef(rawValue: $0) }
  }

  /// Adds chats. Does nothing if all of them are listed.
  func add(_ new: [(room: ConversationRef, peer: UserID)]) async throws {
    try await change { rooms in
      for (room, peer) in new where rooms[peer.rawValue]?.contains(room.rawValue) != true {
        rooms[peer.rawValue, default: []].append(room.rawValue)
      }
    }
    for (room, peer) in new { added[room] = peer }
  }

  /// Removes a room that this account can't join. Does nothing if it is not listed.
  func remove(_ room: ConversationRef) async throws {
    added[room] = nil
    try await change { rooms in
      guard rooms.values.contains(where: { $0.contains(room.rawValue) }) else { return }
      rooms = rooms.mapValues { $0.filter { $0 != room.rawValue } }.filter { !$0.value.isEmpty }
    }
  }

  /// Changes the account data. Another device may overwrite the change, which is then made again.
  private func change(_ body: @escaping @Sendable (inout [String: [String]]) -> Void) async throws {
    let before = last
    let change = Task {
      _ = await before?.result
      for _ in 1...2 {
        var rooms = try await fetched()
        let old = rooms
        body(&rooms)
        self.rooms = rooms
        guard rooms != old else { return }
        try await calls.put(path, .object(rooms.mapValues { .strings($0) }))
      }
    }
    last = change
    try await withTaskCancellationHandler {
      try await change.value
    } onCancel: {
      change.cancel()
    }
  }

  private func fetched() async throws -> [String: [String]] {
    let content = try await optional({ $0.refusal?.status == 404 }) { try await calls.get(path).json }
    return (content?.object ?? [:]).mapValues(\.strings)
  }

  private var path: [String] { ["user", user.rawValue, "account_data", Self.type] }
}
