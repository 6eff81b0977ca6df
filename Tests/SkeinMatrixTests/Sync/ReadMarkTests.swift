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

  @Test("The marker of a client that shows where new messages begin is no read mark: it may be behind")
  func marker() async throws {
    #expect(try await mark(receipts: [:], marker: "$1") == nil)
  }
}
