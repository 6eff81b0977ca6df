import Foundation
import SkeinModel
import SkeinTransport
import Synchronization
import Testing

@testable import SkeinMatrix

/// A sync of one room with a gap, a new member, a message that replies to an older one, and a reaction to an older message.
@Suite("Refused details of a sync")
struct SyncRefusalTests {
  private static let refusals = [(400, "M_UNKNOWN"), (404, "M_NOT_FOUND"), (403, "M_FORBIDDEN")]

  private static func event(_ id: String, _ type: String, _ content: JSONValue, key: String? = nil)
    -> JSONValue
  {
    var event: JSONValue = [
      "event_id": .string(id), "type": .string(type), "sender": "@bob:a", "origin_server_ts": 5,
      "content": content,
    ]
    event["state_key"] = key.map { .string($0) }
    return event
  }

  private static func message(_ id: String, _ relation: JSONValue? = nil) -> JSONValue {
    var content: JSONValue = ["msgtype": "m.text", "body": .string(id)]
    content["m.relates_to"] = relation
    return event(id, "m.room.message", content)
  }

  private static let timeline: JSONValue = [
    "prev_batch": "p", "limited": true,
    "events": [
      event("$member", "m.room.member", ["membership": "join"], key: "@carol:a"),
      message("$new", ["m.in_reply_to": ["event_id": "$reply"]]),
      event(
        "$reaction", "m.reaction",
        ["m.relates_to": ["rel_type": "m.annotation", "event_id": "$old", "key": "+"]]),
    ],
  ]

  private static func backend(refusing call: String, _ status: Int, _ code: String) -> MatrixBackend {
    let homeserver = homeserver(refusing: call, status, code)
    return MatrixBackend(.alice, options: MatrixOptions(), transport: homeserver, polling: homeserver)
  }

  /// The answers of a homeserver that refuses the calls whose paths contain a text.
  private static func homeserver(refusing call: String, _ status: Int, _ code: String) -> ScriptedTransport {
    ScriptedTransport { request in
      let path = request.url.path(percentEncoded: false)
      if path.contains(call) { return .refusal(status, code) }
      if path.hasSuffix("/sync") {
        return .json(["next_batch": "s1", "rooms": ["join": ["!r:a": ["timeline": timeline]]]])
      }
      if path.hasSuffix("/messages") { return .json(["start": "p", "chunk": []]) }
      if path.hasSuffix("/members") {
        return .json(["chunk": [event("$member", "m.room.member", ["membership": "join"], key: "@carol:a")]])
      }
      if path.contains("/relations/") { return .json(["chunk": []]) }
      if path.contains("/event/$old") { return .json(message("$old")) }
      if path.contains("/event/$reply") { return .json(message("$reply")) }
      return .refusal(404, "M_NOT_FOUND")
    }
  }

  @Test(
    "The messages of a sync are received without the details that the homeserver refuses",
    arguments: [
      "/messages", "/members", "/event/", "/relations/", "/m.room.pinned_events", "/io.skein.stars",
    ], refusals)
  func left(call: String, refusal: (status: Int, code: String)) async throws {
    let backend = Self.backend(refusing: call, refusal.status, refusal.code)
    let batch = try await backend.sync(since: SyncCursor(rawValue: "s0"), limit: 10)
    #expect(batch.next.rawValue == "s1")
    let delta = try #require(batch.conversations.first)
    #expect(delta.messages.map(\.serverID?.rawValue) == ["$new"] && delta.count == nil)
    // Each other detail is received.
    #expect((delta.info.members == nil) == (call == "/members"))
    if call == "/members" || call == "/messages" {
      #expect(delta.revised.first?.reactions == [])
      #expect(delta.messages.first?.quote != nil)
    }
    // Reactions that are not known stay as they are.
    if call == "/relations/" { #expect(delta.revised.map(\.reactions) == [nil]) }
  }

  @Test("A limited timeline without events opens a gap before the newest messages")
  func emptyTimeline() async throws {
    let homeserver = ScriptedTransport { request in
      let path = request.url.path(percentEncoded: false)
      if path.hasSuffix("/sync") {
        let timeline: JSONValue = ["prev_batch": "p", "limited": true, "events": []]
        return .json(["next_batch": "s1", "rooms": ["join": ["!r:a": ["timeline": timeline]]]])
      }
      guard path.hasSuffix("/messages") else { return .refusal(404, "M_NOT_FOUND") }
      return .json(["start": "p", "end": "q", "chunk": [Self.message("$new")]])
    }
    let backend = MatrixBackend(
      .alice, options: MatrixOptions(), transport: homeserver, polling: homeserver)
    let delta = try #require(
      try await backend.sync(since: SyncCursor(rawValue: "s0"), limit: 1).conversations.first)
    #expect(delta.count == nil && delta.messages.map(\.serverID?.rawValue) == ["$new"])
    #expect(delta.previous?.rawValue == "back !r:a q")
  }

  @Test("A limited timeline without messages keeps the quote and the reactions of the newest messages")
  func timelineOfChanges() async throws {
    let reaction = Self.event(
      "$reaction", "m.reaction",
      ["m.relates_to": ["rel_type": "m.annotation", "event_id": "$new", "key": "+"]])
    let reply = Self.message("$new", ["m.in_reply_to": ["event_id": "$reply"]])
    let homeserver = ScriptedTransport { request in
      let path = request.url.path(percentEncoded: false)
      if path.hasSuffix("/sync") {
        let timeline: JSONValue = ["prev_batch": "p", "limited": true, "events": [reaction]]
        return .json(["next_batch": "s1", "rooms": ["join": ["!r:a": ["timeline": timeline]]]])
      }
      if path.hasSuffix("/messages") { return .json(["start": "p", "end": "q", "chunk": [reply]]) }
      if path.contains("/relations/") { return .json(["chunk": [reaction]]) }
      if path.contains("/event/$new") { return .json(reply) }
      if path.contains("/event/$reply") { return .json(Self.message("$reply")) }
      return .refusal(404, "M_NOT_FOUND")
    }
    let backend = MatrixBackend(
      .alice, options: MatrixOptions(), transport: homeserver, polling: homeserver)
    let delta = try #require(
      try await backend.sync(since: SyncCursor(rawValue: "s0"), limit: 1).conversations.first)
    #expect(delta.messages.map(\.quote?.message.sender) == ["@bob:a"])
    #expect(delta.revised.map(\.serverID?.rawValue) == ["$new"])
    #expect(delta.revised.first?.reactions == [Reaction("+", users: ["@bob:a"])])
  }

  @Test("Calls for details that end in requested pauses only do not stop the news for ever")
  func limitedDetails() async throws {
    let backend = Self.backend(refusing: "/event/", 429, "M_LIMIT_EXCEEDED")
    for _ in 1...7 {
      let error = await #expect(throws: BackendError.self) {
        try await backend.sync(since: SyncCursor(rawValue: "s0"), limit: 10)
      }
      #expect(error?.code == .rateLimited)
    }
    let batch = try await backend.sync(since: SyncCursor(rawValue: "s0"), limit: 10)
    #expect(batch.conversations.first?.messages.map(\.serverID?.rawValue) == ["$new"])
  }

  @Test("A room whose tombstone can't be read does not stop the news for ever")
  func unreadableTombstone() async throws {
    let backend = Self.backend(refusing: "/m.room.tombstone", 500, "M_UNKNOWN")
    for _ in 1...7 {
      let error = await #expect(throws: BackendError.self) { try await backend.sync(since: nil, limit: 10) }
      #expect(error?.code == .transient)
    }
    for _ in 8...9 {
      let batch = try await backend.sync(since: nil, limit: 10)
      #expect(batch.conversations.first?.messages.map(\.serverID?.rawValue) == ["$new"])
    }
  }

  /// A backend that receives a sync of one room, and then only empty pages.
  private static func backend(room: JSONValue) -> (MatrixBackend, ScriptedTransport) {
    let pages = Mutex(0)
    let homeserver = ScriptedTransport { request in
      let path = request.url.path(percentEncoded: false)
      if path.hasSuffix("/sync") { return .json(["next_batch": "s1", "rooms": ["join": ["!r:a": room]]]) }
      if path.hasSuffix("/members") { return .json(["chunk": []]) }
      guard path.hasSuffix("/messages") else { return .refusal(404, "M_NOT_FOUND") }
      let number = pages.withLock { pages in
        pages += 1
        return pages
      }
      return .json(["start": "p", "end": .string("p\(number)"), "chunk": []])
    }
    return (
      MatrixBackend(.alice, options: MatrixOptions(), transport: homeserver, polling: homeserver), homeserver
    )
  }

  @Test("The senders in the state of a sync without a gap do not cause a request of all members")
  func lazyMembers() async throws {
    let member = Self.event("$member", "m.room.member", ["membership": "join"], key: "@carol:a")
    let (backend, homeserver) = Self.backend(room: [
      "timeline": ["prev_batch": "p", "limited": false, "events": [Self.message("$new")]],
      "state": ["events": [member]],
    ])
    let batch = try await backend.sync(since: SyncCursor(rawValue: "s0"), limit: 10)
    #expect(batch.conversations.first?.messages.count == 1)
    #expect(!homeserver.requests.contains { $0.hasSuffix("/members") })
  }

  @Test("A sync does not page through the history before the account joined, which may be hidden")
  func joinedNow() async throws {
    let join = Self.event("$join", "m.room.member", ["membership": "join"], key: "@alice:example.org")
    let (backend, homeserver) = Self.backend(room: [
      "timeline": ["prev_batch": "p", "limited": true, "events": [join]]
    ])
    let batch = try await backend.sync(since: SyncCursor(rawValue: "s0"), limit: 10)
    #expect(batch.conversations.first?.count == nil)
    #expect(batch.conversations.first?.previous?.rawValue == "back !r:a p")
    #expect(!homeserver.requests.contains { $0.hasSuffix("/messages") })
  }

  @Test("A call for details whose connection always breaks does not stop the news for ever")
  func brokenDetails() async throws {
    let answers = Self.homeserver(refusing: "/event/", 500, "M_UNKNOWN")
    let homeserver = ScriptedTransport { request in
      guard !request.url.path(percentEncoded: false).contains("/event/") else {
        throw BackendError(.unreachable, "The connection broke.", outcomeIsUnknown: true)
      }
      return try answers.prepared(for: request)
    }
    let backend = MatrixBackend(
      .alice, options: MatrixOptions(), transport: homeserver, polling: homeserver)
    for _ in 1...7 {
      await #expect(throws: BackendError.self) {
        try await backend.sync(since: SyncCursor(rawValue: "s0"), limit: 10)
      }
    }
    let batch = try await backend.sync(since: SyncCursor(rawValue: "s0"), limit: 10)
    #expect(batch.conversations.first?.messages.map(\.serverID?.rawValue) == ["$new"])
  }
}
