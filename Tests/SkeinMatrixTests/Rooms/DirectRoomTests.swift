import Foundation
import SkeinModel
import SkeinTransport
import Synchronization
import Testing

@testable import SkeinMatrix

@Suite("One-to-one chats of a Matrix backend")
struct DirectRoomTests {
  private static func backend(_ homeserver: ScriptedTransport) -> MatrixBackend {
    MatrixBackend(.alice, options: MatrixOptions(), transport: homeserver, polling: homeserver)
  }

  /// A homeserver on which the alias of the chat with bob belongs to a room with both users.
  private static func homeserver(creator: String) -> ScriptedTransport {
    ScriptedTransport { request in
      let path = request.url.path(percentEncoded: false)
      if path.hasSuffix("/createRoom"), case .bytes(let bytes)? = request.body {
        let body = try JSONDecoder().decode(JSONValue.self, from: Data(bytes))
        return body["room_alias_name"] == nil
          ? .json(["room_id": "!new:a"]) : .refusal(400, "M_ROOM_IN_USE")
      }
      if path.contains("/directory/room/") { return .json(["room_id": "!taken:a"]) }
      if path.hasSuffix("/members") {
        let users: [JSONValue] = ["@alice:example.org", "@bob:a"]
        return .json([
          "chunk": .array(users.map { ["state_key": $0, "content": ["membership": "join"]] })
        ])
      }
      if path.contains("/m.room.create") { return .json(["sender": .string(creator)]) }
      if path.hasSuffix("/sync") { return .json(["next_batch": "s1"]) }
      if path.hasSuffix("/joined_rooms") { return .json([:]) }
      return request.method == "GET" ? .refusal(404, "M_NOT_FOUND") : .json([:])
    }
  }

  @Test(
    "A room with the alias of a chat is the chat only if one of the two users has created it",
    arguments: [("@alice:example.org", "!taken:a"), ("@bob:a", "!taken:a"), ("@mallory:a", "!new:a")])
  func alias(creator: String, room: String) async throws {
    let info = try await Self.backend(Self.homeserver(creator: creator)).open(.direct("@bob:a"))
    #expect(info.ref.rawValue == room && info.peer == "@bob:a")
  }

  @Test("A chat that another device overwrites while it is listed is listed again, beside the other device's")
  func overwritten() async throws {
    let stored = Mutex<[JSONValue]>([])
    let homeserver = ScriptedTransport { request in
      guard case .bytes(let body)? = request.body else {
        return stored.withLock { $0.last.map { TransportAnswer.json($0) } } ?? .refusal(404, "M_NOT_FOUND")
      }
      let content = try JSONDecoder().decode(JSONValue.self, from: Data(body))
      // The first change is overwritten at once.
      stored.withLock { $0 += $0.isEmpty ? [content, ["@carol:a": ["!2:a"]]] : [content] }
      return .json([:])
    }
    let directs = Self.backend(homeserver).directs
    try await directs.add([(ConversationRef(rawValue: "!1:a"), "@bob:a")])
    #expect(stored.withLock { $0.last } == ["@bob:a": ["!1:a"], "@carol:a": ["!2:a"]])
  }

  @Test(
    "The name of a member is the name of a one-to-one chat only if the room has none",
    arguments: ["Project X", "", nil])
  func title(name: String?) async throws {
    let member: JSONValue = [
      "event_id": "$m", "type": "m.room.member", "state_key": "@bob:a", "sender": "@bob:a",
      "origin_server_ts": 1, "content": ["membership": "join", "displayname": "Bob"],
    ]
    let room: JSONValue = ["state": ["events": [member]]]
    let homeserver = ScriptedTransport { request in
      let path = request.url.path(percentEncoded: false)
      if path.hasSuffix("/sync") { return .json(["next_batch": "s1", "rooms": ["join": ["!r:a": room]]]) }
      if path.hasSuffix("/m.direct") { return .json(["@bob:a": ["!r:a"]]) }
      if path.contains("/m.room.name"), let name { return .json(["name": .string(name)]) }
      return .refusal(404, "M_NOT_FOUND")
    }
    let backend = Self.backend(homeserver)
    let batch = try await backend.sync(since: SyncCursor(rawValue: "s0"), limit: 10)
    #expect(batch.conversations.first?.info.title == (name == "Project X" ? nil : "Bob"))
  }

  @Test("Of two rooms with one user, a sync lists the one that the user has left last")
  func left() async throws {
    func room(_ count: JSONValue) -> JSONValue {
      ["summary": ["m.joined_member_count": count, "m.invited_member_count": 0]]
    }
    let rooms: JSONValue = ["!1:a": room(1), "!2:a": room(2), "!3:a": [:]]
    let homeserver = ScriptedTransport { request in
      let path = request.url.path(percentEncoded: false)
      if path.hasSuffix("/sync") { return .json(["next_batch": "s1", "rooms": ["join": rooms]]) }
      return path.contains("/m.direct")
        ? .json(["@bob:a": ["!1:a", "!2:a"]]) : .refusal(404, "M_NOT_FOUND")
    }
    let batch = try await Self.backend(homeserver).sync(since: nil, limit: 10)
    #expect(batch.conversations.map(\.info.ref.rawValue) == ["!2:a", "!3:a", "!1:a"])
    #expect(batch.conversations.map(\.info.peer) == ["@bob:a", nil, "@bob:a"])
  }
}
