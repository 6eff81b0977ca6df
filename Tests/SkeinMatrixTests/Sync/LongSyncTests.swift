import Foundation
import SkeinModel
import SkeinTransport
import Synchronization
import Testing

@testable import SkeinMatrix

@Suite("Syncs that take long or omit much")
struct LongSyncTests {
  private static func backend(_ transport: ScriptedTransport) -> MatrixBackend {
    MatrixBackend(.alice, options: MatrixOptions(), transport: transport, polling: transport)
  }

  private static func query(_ request: TransportRequest) -> [String: String] {
    let items = URLComponents(url: request.url, resolvingAgainstBaseURL: false)?.queryItems ?? []
    return Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
  }

  @Test("A sync whose answer is missing is repeated in the same form, which joins the one under way")
  func repeated() async throws {
    let filters = Mutex<[String]>([])
    let homeserver = ScriptedTransport { request in
      guard request.url.path().hasSuffix("/sync") else { return .refusal(404, "M_NOT_FOUND") }
      let count = filters.withLock { filters in
        filters.append(Self.query(request)["filter"] ?? "")
        return filters.count
      }
      return count == 1 ? .refusal(504, "M_UNKNOWN") : .json(["next_batch": "s1"])
    }
    let backend = Self.backend(homeserver)
    await #expect(throws: BackendError.self) { try await backend.sync(since: nil, limit: 10) }
    for _ in 0..<2 { _ = try await backend.sync(since: nil, limit: 10) }
    let sent = filters.withLock { $0 }
    #expect(sent.count == 3 && sent[0] == sent[1] && sent[1] != sent[2])
  }

  @Test("A sync may stay silent until its deadline", arguments: [nil, "s0"])
  func silent(cursor: String?) async throws {
    let limits = Mutex<[Duration?]>([])
    let homeserver = ScriptedTransport { request in
      if request.url.path().hasSuffix("/sync") {
        limits.withLock { $0 += [request.idleTimeout, request.deadline] }
      }
      return .json(["next_batch": "s1"])
    }
    _ = try await Self.backend(homeserver).sync(since: cursor.map { SyncCursor(rawValue: $0) }, limit: 10)
    #expect(limits.withLock { $0 } == [.seconds(300), .seconds(300)])
  }

  @Test("A sync whose answer is too long is repeated with half as many messages, down to one of each room")
  func tooLong() async throws {
    for (largest, requested) in [(10, [10]), (2, [10, 5, 2]), (0, [10, 5, 2, 1])] as [(Int64, [Int64])] {
      let limits = Mutex<[Int64]>([])
      let homeserver = ScriptedTransport { request in
        guard request.url.path().hasSuffix("/sync") else { return .refusal(404, "M_NOT_FOUND") }
        let filter = try JSONDecoder().decode(
          JSONValue.self, from: Data((Self.query(request)["filter"] ?? "").utf8))
        let limit = filter["room"]?["timeline"]?["limit"]?.integer ?? 0
        limits.withLock { $0.append(limit) }
        guard limit <= largest else { throw BackendError.oversize }
        return .json(["next_batch": "s1"])
      }
      do {
        _ = try await Self.backend(homeserver).sync(since: nil, limit: 10)
        #expect(largest > 0)
      } catch let error as BackendError {
        #expect(largest == 0 && error.message.contains("even with one message of each room"), "\(error)")
      }
      #expect(limits.withLock { $0 } == requested)
    }
  }

  /// A room whose sync omits 2,000 events. The first message before them was edited by the first of them.
  private static func longGap(_ request: TransportRequest) -> TransportAnswer {
    func message(_ id: String, _ text: String, _ relations: JSONValue = [:]) -> JSONValue {
      [
        "event_id": .string(id), "type": "m.room.message", "sender": "@bob:a", "origin_server_ts": 5,
        "content": ["msgtype": "m.text", "body": .string(text)], "unsigned": ["m.relations": relations],
      ]
    }
    let query = Self.query(request)
    if request.url.path().hasSuffix("/sync") {
      let timeline: JSONValue = ["events": [message("$new", "new")], "prev_batch": "g0", "limited": true]
      return .json(["next_batch": "s1", "rooms": ["join": ["!r:a": ["timeline": timeline]]]])
    }
    guard request.url.path().hasSuffix("/messages") else { return .refusal(404, "M_NOT_FOUND") }
    if query["to"] != nil {
      let number = Int(query["from"]?.dropFirst() ?? "") ?? 0
      return .json(["start": "g", "chunk": [], "end": .string("g\(number + 1)")])
    }
    if query["from"] == "b" { return .json(["start": "b", "chunk": []]) }
    guard query["from"] == "s0" else { return .refusal(400, "M_UNKNOWN") }
    let edit: JSONValue = [
      "event_id": "$edit", "type": "m.room.message", "sender": "@bob:a", "origin_server_ts": 9,
      "content": [
        "msgtype": "m.text", "body": "* edited", "m.new_content": ["msgtype": "m.text", "body": "edited"],
        "m.relates_to": ["rel_type": "m.replace", "event_id": "$old"],
      ],
    ]
    return .json(["start": "s0", "chunk": [message("$old", "before", ["m.replace": edit])], "end": "b"])
  }

  @Test("The messages before a gap that is too long to be read are received as they are now")
  func beforeLongGap() async throws {
    let batch = try await Self.backend(ScriptedTransport(Self.longGap)).sync(
      since: SyncCursor(rawValue: "s0"), limit: 10)
    let delta = try #require(batch.conversations.first)
    #expect(delta.messages.map(\.serverID?.rawValue) == ["$new"] && delta.count == nil)
    let old = try #require(delta.revised.first)
    #expect(old.serverID?.rawValue == "$old" && old.revision == 9)
    #expect(String(decoding: old.payload, as: UTF8.self).contains("edited"))
  }

  @Test("Files are transferred over connections of their own, so that sends and syncs do not wait for them")
  func media() async throws {
    let (calls, media) = (ScriptedTransport(200, "{}"), ScriptedTransport(404, #"{"errcode":"M_NOT_FOUND"}"#))
    let backend = MatrixBackend(
      .alice, options: MatrixOptions(), transport: calls, polling: calls, media: media)
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    await #expect(throws: BackendError.self) {
      try await backend.download(RemoteMedia(id: "mxc://a/1", size: 1, type: "image/png"), to: file)
    }
    #expect(calls.requests.isEmpty && media.requests.count == 1)
  }
}
