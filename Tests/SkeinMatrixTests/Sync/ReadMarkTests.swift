import Foundation
import SkeinModel
import SkeinTransport
import Testing

@testable import SkeinMatrix

@Suite("Read marks of a Matrix backend")
struct ReadMarkTests {
  /// The read mark of this account by a sync with receipts and the marker of another client.
  private func mark(receipts: JSONValue, marker: String?) async throws -> String? {
    var room: JSONValue = ["ephemeral": ["events": [["type": "m.receipt", "content": receipts]]]]
    if let marker {
      let content: JSONValue = ["event_id": .string(marker)]
      room["account_data"] = ["events": [["type": "m.fully_read", "content": content]]]
    }
    let sync: JSONValue = ["next_batch": "s1", "rooms": ["join": ["!r:a": room]]]
    let homeserver = ScriptedTransport { request in
      request.url.path().hasSuffix("/sync") ? .json(sync) : .refusal(404, "M_NOT_FOUND")
    }
    let backend = MatrixBackend(
      .alice, options: MatrixOptions(), transport: homeserver, polling: homeserver)
    let batch = try await backend.sync(since: SyncCursor(rawValue: "s0"), limit: 10)
    return batch.conversations.first?.info.readMark?.serverID?.rawValue
  }

  private func receipt(_ type: String, _ user: String, _ time: Int64) -> JSONValue {
    [type: [user: ["ts": .integer(time)]]]
  }

  @Test("The newest own receipt is the read mark, whether the others see it or not")
  func newest() async throws {
    let own = "@alice:example.org"
    for type in ["m.read", "m.read.private"] {
      let mark = try await mark(
        receipts: [
          "$1": receipt("m.read", own, 5), "$2": receipt(type, own, 7), "$3": receipt("m.read", "@bob:a", 9),
        ], marker: "$1")
      #expect(mark == "$2")
    }
  }

  @Test("A receipt for a reaction of an earlier answer marks the message before the reaction")
  func reaction() async throws {
    func event(_ id: String, _ type: String, _ content: JSONValue) -> JSONValue {
      [
        "event_id": .string(id), "type": .string(type), "sender": "@bob:a", "origin_server_ts": 1,
        "content": content,
      ]
    }
    func react(_ id: String) -> JSONValue {
      event(
        id, "m.reaction", ["m.relates_to": ["rel_type": "m.annotation", "event_id": "$0", "key": "a"]])
    }
    let own = receipt("m.read", "@alice:example.org", 5)
    let message = event("$1", "m.room.message", ["msgtype": "m.text", "body": "One"])
    let rooms: [JSONValue] = [
      ["timeline": ["events": [message, react("$2")]]],
      ["ephemeral": ["events": [["type": "m.receipt", "content": ["$2": own]]]]],
      [
        "timeline": ["events": [react("$3")]],
        "ephemeral": ["events": [["type": "m.receipt", "content": ["$3": own]]]],
      ],
    ]
    let homeserver = ScriptedTransport { request in
      guard request.url.path().hasSuffix("/sync") else { return .refusal(404, "M_NOT_FOUND") }
      let index = rooms.indices.first { request.url.absoluteString.contains("since=s\($0)") } ?? 0
      return .json(["next_batch": .string("s\(index + 1)"), "rooms": ["join": ["!r:a": rooms[index]]]])
    }
    let backend = MatrixBackend(
      .alice, options: MatrixOptions(), transport: homeserver, polling: homeserver)
    var marks: [String?] = []
    for index in rooms.indices {
      let batch = try await backend.sync(since: SyncCursor(rawValue: "s\(index)"), limit: 10)
      marks.append(batch.conversations.first?.info.readMark?.serverID?.rawValue)
    }
    #expect(marks == [nil, "$1", "$1"])
  }

  @Test("The marker of a client that shows where new messages begin is no read mark: it may be behind")
  func marker() async throws {
    #expect(try await mark(receipts: [:], marker: "$1") == nil)
  }
}
