import Foundation
import SkeinModel
import SkeinTransport
import Synchronization
import Testing

@testable import SkeinMatrix

@Suite("Upgraded rooms of a Matrix backend")
struct UpgradeTests {
  private static let old = ConversationRef(rawValue: "!old:a")
  private static let new = ConversationRef(rawValue: "!new:a")
  private static let since = SyncCursor(rawValue: "s0")

  /// A homeserver with an old room, and a new one that names the old one as predecessor.
  private struct Scene: Sendable {
    /// Whether the tombstone of the old room names the new one.
    var isNamed = true
    /// Whether the account is in the new room; nil if it can't join.
    var isJoined: Bool? = true
    /// Whether anybody can read the new room.
    var isReadable = false
    var sync = "{}"

    func answer() -> ScriptedTransport {
      let joined = Mutex(isJoined == true)
      return ScriptedTransport { [self] request in
        let path = request.url.path(percentEncoded: false)
        if path.hasSuffix("/sync") { return .json(text: sync) }
        if path.hasSuffix("!new:a/join") {
          guard isJoined != nil else { return .refusal(403, "M_FORBIDDEN") }
          joined.withLock { $0 = true }
          return .json([:])
        }
        let isMember = joined.withLock { $0 }
        if path.contains("!new:a/state/m.room.member"), isMember { return .json(["membership": "join"]) }
        if path.contains("!new:a"), !isMember, !isReadable { return .refusal(403, "M_FORBIDDEN") }
        if path.contains("!old:a/state/m.room.tombstone") {
          let room = isNamed ? "!new:a" : "!else:a"
          return .json([
            "event_id": "$t", "type": "m.room.tombstone", "sender": "@bob:b", "origin_server_ts": 5,
            "state_key": "", "content": ["replacement_room": .string(room)],
            "replacement_room": .string(room),
          ])
        }
        if path.contains("!new:a/state/m.room.create") {
          return .json(["predecessor": ["room_id": "!old:a"]])
        }
        if path.contains("!old:a/state/m.room.member") { return .json(["membership": "join"]) }
        if path.hasSuffix("!new:a/messages") { return .json(["start": "t1", "chunk": []]) }
        if path.hasSuffix("!old:a/messages") {
          return .json(["start": "t9", "end": "t8", "chunk": [Self.message("$1")]])
        }
        if path.contains("/send/") { return .json(["event_id": "$sent"]) }
        if path.contains("/m.direct"), request.method == "GET" { return .json(["@bob:b": ["!old:a"]]) }
        return request.method == "GET" ? .refusal(404, "M_NOT_FOUND") : .json([:])
      }
    }

    static func message(_ id: String) -> JSONValue {
      [
        "event_id": .string(id), "type": "m.room.message", "sender": "@bob:b", "origin_server_ts": 3,
        "content": ["msgtype": "m.text", "body": "hello"],
      ]
    }
  }

  private static func backend(_ homeserver: ScriptedTransport) -> MatrixBackend {
    MatrixBackend(.alice, options: MatrixOptions(), transport: homeserver, polling: homeserver)
  }

  private static let tombstone = #"""
    "!old:a":{"timeline":{"events":[{"event_id":"$t","type":"m.room.tombstone","state_key":"","sender":"@bob:b",
      "origin_server_ts":5,"content":{"replacement_room":"!new:a"}}],"prev_batch":"p"}}
    """#
  private static let first = #"""
    "!new:a":{"timeline":{"events":[{"event_id":"$c","type":"m.room.create","state_key":"","sender":"@bob:b",
      "origin_server_ts":4,"content":{"predecessor":{"room_id":"!old:a"}}},
      {"event_id":"$2","type":"m.room.message","sender":"@bob:b","origin_server_ts":6,
       "content":{"msgtype":"m.text","body":"again"}}],"prev_batch":"p"}}
    """#

  private static func sync(_ rooms: String...) -> String {
    #"{"next_batch":"s1","rooms":{"join":{\#(rooms.joined(separator: ","))}}}"#
  }

  @Test("The new room continues the old one, which is no longer reported; its messages follow a gap")
  func continued() async throws {
    let homeserver = Scene(sync: Self.sync(Self.tombstone, Self.first)).answer()
    let batch = try await Self.backend(homeserver).sync(since: Self.since, limit: 10)
    #expect(batch.conversations.map(\.info.ref) == [Self.new])
    let delta = try #require(batch.conversations.first)
    #expect(delta.info.replaces == [Self.old] && delta.info.type == .direct && delta.info.peer == "@bob:b")
    #expect(delta.count == nil && !delta.reachesStart && delta.messages.count == 1)
    #expect(homeserver.requests.contains { $0.hasPrefix("PUT") && $0.contains("m%2Edirect") })
  }

  @Test("A tombstone makes the account join the new room, which continues the old one at once")
  func joined() async throws {
    let homeserver = Scene(isJoined: false, sync: Self.sync(Self.tombstone)).answer()
    let batch = try await Self.backend(homeserver).sync(since: Self.since, limit: 10)
    #expect(batch.conversations.map(\.info.ref) == [Self.new] && batch.hasMore)
    #expect(batch.conversations.map(\.info.replaces) == [[Self.old]])
    #expect(homeserver.requests.count { $0.hasSuffix("/join") } == 1)
  }

  @Test("A new room that anybody can read is joined as well, since its news come to members only")
  func readable() async throws {
    let homeserver = Scene(isJoined: false, isReadable: true, sync: Self.sync(Self.tombstone)).answer()
    let batch = try await Self.backend(homeserver).sync(since: Self.since, limit: 10)
    #expect(batch.conversations.map(\.info.ref) == [Self.new] && batch.hasMore)
    #expect(homeserver.requests.count { $0.hasSuffix("/join") } == 1)
  }

  @Test("If the account can't join the new room, the old one is still reported, and nothing is sent to it")
  func refused() async throws {
    let homeserver = Scene(isJoined: nil, sync: Self.sync(Self.tombstone)).answer()
    let backend = Self.backend(homeserver)
    let batch = try await backend.sync(since: Self.since, limit: 10)
    #expect(batch.conversations.map(\.info.ref) == [Self.old] && !batch.hasMore)
    let error = await #expect(throws: BackendError.self) { try await Self.send(by: backend) }
    #expect(error?.code == .permanent)
    #expect(!homeserver.requests.contains { $0.contains("/send/") })
  }

  @Test("A room that names another as predecessor gets none of its history unless that room names it")
  func claimed() async throws {
    let homeserver = Scene(isNamed: false, sync: Self.sync(Self.first)).answer()
    let backend = Self.backend(homeserver)
    let delta = try #require(try await backend.sync(since: Self.since, limit: 10).conversations.first)
    #expect(delta.info.replaces.isEmpty && delta.reachesStart && delta.count == 1)
    let page = try await backend.history(of: Self.new, at: .newest, limit: 10)
    #expect(page.messages.isEmpty && page.reachesStart)
    #expect(!homeserver.requests.contains { $0.contains("old") && $0.hasSuffix("/messages") })
  }

  @Test("The history of a room goes on in the room that it replaces, and back")
  func history() async throws {
    let backend = Self.backend(Scene().answer())
    let page = try await backend.history(of: Self.new, at: .newest, limit: 1)
    #expect(page.messages.map(\.serverID?.rawValue) == ["$1"])
    #expect(!page.reachesStart && page.reachesEnd)
    #expect(page.previous?.rawValue == "back !old:a t8" && page.next?.rawValue == "forward !old:a t9")
  }

  private static func send(by backend: MatrixBackend, to room: ConversationRef = old) async throws
    -> SendReceipt
  {
    try await backend.send(
      OutgoingMessage(
        id: MessageID(rawValue: "m"), conversation: room, kind: TextContent.kind,
        payload: KindRegistry.encode(TextContent("late"))))
  }

  @Test("A message for a room that was replaced is sent to the new room", arguments: [true, false])
  func sent(isJoined: Bool) async throws {
    let homeserver = Scene(isJoined: isJoined).answer()
    _ = try await Self.send(by: Self.backend(homeserver))
    let sends = homeserver.requests.filter { $0.contains("/send/") }
    #expect(sends.count == 1 && sends.allSatisfy { $0.contains("new") })
  }

  @Test(
    "A message is not sent to the new room before that room is reported if the old room may have it",
    arguments: [(504, "M_UNKNOWN"), (429, "M_LIMIT_EXCEEDED")])
  func unsent(status: Int, code: String) async throws {
    let isUpgraded = Mutex(false)
    let upgraded = Scene().answer()
    let homeserver = ScriptedTransport { request in
      let path = request.url.path(percentEncoded: false)
      let isNew = isUpgraded.withLock { $0 }
      if path.contains("/send/"), !isNew { return .refusal(status, code) }
      if path.contains("/state/m.room.tombstone"), !isNew { return .refusal(404, "M_NOT_FOUND") }
      return try upgraded.prepared(for: request)
    }
    let backend = Self.backend(homeserver)
    let first = await #expect(throws: BackendError.self) { _ = try await Self.send(by: backend) }
    #expect(first?.outcomeIsUnknown == (status == 504))
    isUpgraded.withLock { $0 = true }
    // As after a loss of the push channel.
    backend.memory.current.removeAll()
    if status == 504 {
      let repeated = await #expect(throws: BackendError.self) { _ = try await Self.send(by: backend) }
      #expect(repeated?.code == .transient)
      #expect(!homeserver.requests.contains { $0.contains("/send/") && $0.contains("new") })
      // The engine knows the new room, and has not found the message in either.
      _ = try await Self.send(by: backend, to: Self.new)
    } else {
      _ = try await Self.send(by: backend)
    }
    #expect(homeserver.requests.contains { $0.contains("/send/") && $0.contains("new") })
  }

  /// A homeserver with two rooms that replace each other, and with a message that replies to one that no room has.
  private static func circle() -> ScriptedTransport {
    ScriptedTransport { request in
      let path = request.url.path(percentEncoded: false)
      if path.hasSuffix("/messages") {
        var reply = Scene.message("$2")
        reply["content"] = [
          "msgtype": "m.text", "body": "yes", "m.relates_to": ["m.in_reply_to": ["event_id": "$1"]],
        ]
        return .json(["start": "t", "chunk": [reply]])
      }
      let other = path.contains("!old:a") ? "!new:a" : "!old:a"
      if path.contains("/state/m.room.tombstone") {
        return .json([
          "event_id": "$t", "type": "m.room.tombstone", "sender": "@bob:b", "origin_server_ts": 5,
          "state_key": "", "content": ["replacement_room": .string(other)],
          "replacement_room": .string(other),
        ])
      }
      if path.contains("/state/m.room.create") { return .json(["predecessor": ["room_id": .string(other)]]) }
      return request.method == "GET" ? .refusal(404, "M_NOT_FOUND") : .json([:])
    }
  }

  @Test(
    "A reply in a room of a circle to a message that no room has is received without a quote",
    .timeLimit(.minutes(1)))
  func circularReply() async throws {
    let page = try await Self.backend(Self.circle()).history(of: Self.new, at: .newest, limit: 10)
    #expect(page.messages.map(\.quote) == [nil])
  }

  @Test("Rooms that replace each other in a circle refuse a message")
  func circularSend() async throws {
    let homeserver = Self.circle()
    let error = await #expect(throws: BackendError.self) {
      _ = try await Self.send(by: Self.backend(homeserver))
    }
    #expect(error?.code == .permanent)
    #expect(!homeserver.requests.contains { $0.contains("/send/") })
  }

  @Test(
    "An invitation to the room that replaces a room of the account is accepted without asking",
    arguments: [true, false])
  func invited(isNamed: Bool) async throws {
    let sync = #"""
      {"next_batch":"s1","rooms":{"invite":{"!new:a":{"invite_state":{"events":[
        {"type":"m.room.create","state_key":"","sender":"@bob:b","content":{"predecessor":{"room_id":"!old:a"}}},
        {"type":"m.room.member","state_key":"@alice:example.org","sender":"@bob:b","content":{"membership":"invite"}}
      ]}}}}}
      """#
    let homeserver = Scene(isNamed: isNamed, isJoined: false, sync: sync).answer()
    let batch = try await Self.backend(homeserver).sync(since: Self.since, limit: 10)
    #expect(batch.invitations.count == (isNamed ? 0 : 1) && batch.hasMore == isNamed)
    #expect(homeserver.requests.count { $0.hasSuffix("/join") } == (isNamed ? 1 : 0))
    #expect(homeserver.requests.contains { $0.hasPrefix("PUT") && $0.contains("m%2Edirect") } == isNamed)
  }

  @Test("A room that could not be joined with the tombstone is joined when the push channel opens again")
  func joinedLater() async throws {
    let isDown = Mutex(true)
    let upgraded = Scene(isJoined: false, sync: Self.sync(Self.tombstone)).answer()
    let homeserver = ScriptedTransport { request in
      let path = request.url.path(percentEncoded: false)
      if isDown.withLock({ $0 }) {
        return path.hasSuffix("/join") ? .refusal(504, "M_UNKNOWN") : try upgraded.prepared(for: request)
      }
      guard path.hasSuffix("/sync") else { return try upgraded.prepared(for: request) }
      return request.url.query()?.contains("since=") == true
        ? .refusal(401, "M_UNKNOWN_TOKEN") : .json(["next_batch": "s2"])
    }
    let backend = Self.backend(homeserver)
    for _ in 1...7 {
      await #expect(throws: BackendError.self) { try await backend.sync(since: Self.since, limit: 10) }
    }
    let batch = try await backend.sync(since: Self.since, limit: 10)
    #expect(batch.conversations.map(\.info.ref) == [Self.old])
    // A message tries to join the room as well.
    await #expect(throws: BackendError.self) { try await Self.send(by: backend) }
    isDown.withLock { $0 = false }
    for _ in 1...2 {
      await #expect(throws: BackendError.self) { try await backend.run(since: batch.next) { _ in } }
    }
    #expect(homeserver.requests.count { $0.hasSuffix("/join") } == 10)
  }

  @Test("Leaving a room leaves the rooms that it replaces first, so that they don't return")
  func left() async throws {
    let homeserver = Scene().answer()
    try await Self.backend(homeserver).leave(Self.new)
    let left = homeserver.requests.filter { $0.hasSuffix("/leave") }
    #expect(left.count == 2 && left[0].contains("old") && left[1].contains("new"))
  }
}

extension TransportAnswer {
  fileprivate static func json(text: String) -> TransportAnswer {
    TransportAnswer(status: 200, body: Array(text.utf8))
  }
}
