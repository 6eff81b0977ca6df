import Foundation
import Skein
import SkeinTransport
import Synchronization
import Testing

@testable import SkeinMatrix

/// The engine and the backend receive syncs that are changed at random. `SKEIN_FUZZ` is the number of seeds, and
/// `SKEIN_FUZZ_FROM` the first one.
@Suite("Random damage to syncs", .timeLimit(.minutes(60)))
struct SyncFuzzTests {
  private static let seeds = {
    let first = number("SKEIN_FUZZ_FROM") ?? 1
    return first..<first + (number("SKEIN_FUZZ") ?? 40)
  }()

  private static func number(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
  }

  /// The number of damaged answers that one seed gives.
  private static let damages = 6

  @Test("After damaged syncs, the messages are as before, and a good sync is received", arguments: seeds)
  func sync(_ seed: UInt64) async throws {
    try await withFolder { folder in
      let homeserver = TestHomeserver()
      for number in 1...4 { homeserver.post("\(number)") }
      let backend = MatrixBackend(
        .alice, options: MatrixOptions(), transport: homeserver, polling: homeserver)
      let phone = try await TestPhone(backend, in: folder)
      try await phone.received("4")
      // No event changes these messages; the fourth one has an edit, a reaction and a redaction.
      let before = phone.messages.prefix(3)
      let repaired = Self.damage(homeserver, seed)
      Self.addChanges(to: homeserver)
      await phone.restart()
      for await _ in repaired {}
      homeserver.post("end")
      try await phone.received("end")
      #expect(homeserver.requests < 2000)
      for message in before {
        try await phone.chat.jump(to: message.id)
        let now = phone.messages.first { $0.id == message.id }
        #expect(now?.content == message.content, "\(String(describing: now))")
        #expect(now?.serverID == message.serverID && now?.sender == message.sender)
      }
      await phone.client.close()
    }
  }

  /// Damages the next answers to syncs and polls. The stream ends with the last of them.
  private static func damage(_ homeserver: TestHomeserver, _ seed: UInt64) -> AsyncStream<Void> {
    let (repaired, end) = AsyncStream.makeStream(of: Void.self)
    let count = Mutex(0)
    for (number, call) in [TestHomeserver.Call.sync, .poll].enumerated() {
      let mutation = Mutex(JSONMutation(seed: 2 * seed + UInt64(number)))
      homeserver.damage(call) { [unowned homeserver] answer in
        let count = count.withLock { count in
          count += 1
          return count
        }
        let json = (try? JSONDecoder().decode(JSONValue.self, from: Data(answer.body))) ?? [:]
        let body = mutation.withLock { $0.bytes(of: adding(to: json)) }
        if count == damages {
          homeserver.damage(.sync, nil)
          homeserver.damage(.poll, nil)
          end.finish()
        }
        return count > damages ? answer : TransportAnswer(status: 200, body: body)
      }
    }
    return repaired
  }

  /// Adds the parts of a sync that a test homeserver does not have.
  private static func adding(to sync: JSONValue) -> JSONValue {
    var sync = sync
    let bob: JSONValue = .string(TestHomeserver.bob)
    sync["presence"] = [
      "events": [["sender": bob, "content": ["presence": "offline", "last_active_ago": 5000]]]
    ]
    sync["account_data"] = [
      "events": [["type": "m.direct", "content": ["@bob:example.org": ["!direct:example.org"]]]]
    ]
    var rooms = sync["rooms"] ?? [:]
    let invitation: JSONValue = [
      "type": "m.room.member", "state_key": "@alice:example.org", "sender": bob,
      "content": ["membership": "invite", "is_direct": true],
    ]
    rooms["invite"] = ["!invited:example.org": ["invite_state": ["events": [invitation]]]]
    if var room = rooms["join"]?[TestHomeserver.room] {
      room["summary"] = ["m.joined_member_count": 2]
      room["ephemeral"] = [
        "events": [
          ["type": "m.typing", "content": ["user_ids": [bob]]],
          [
            "type": "m.receipt",
            "content": ["$2": ["m.read": ["@bob:example.org": ["ts": 7], "@alice:example.org": ["ts": 8]]]],
          ],
        ]
      ]
      room["account_data"] = ["events": [["type": "m.tag", "content": ["tags": ["m.favourite": [:]]]]]]
      rooms["join"] = [TestHomeserver.room: room]
    }
    sync["rooms"] = rooms
    return sync
  }

  /// Adds an event of each type that a sync can contain.
  private static func addChanges(to homeserver: TestHomeserver) {
    let relations: [(type: String, content: JSONValue)] = [
      (
        "m.room.message",
        [
          "msgtype": "m.text", "body": "* b", "m.new_content": ["msgtype": "m.text", "body": "b"],
          "m.relates_to": ["rel_type": "m.replace", "event_id": "$4"],
        ]
      ),
      ("m.reaction", ["m.relates_to": ["rel_type": "m.annotation", "event_id": "$4", "key": "+"]]),
      ("m.room.redaction", ["redacts": "$4"]),
      (
        "m.room.message",
        ["msgtype": "m.text", "body": "a reply", "m.relates_to": ["m.in_reply_to": ["event_id": "$1"]]]
      ),
      (
        "m.room.message",
        ["msgtype": "m.image", "body": "a", "url": "mxc://a/b", "info": ["size": 5, "w": 3, "h": 4]]
      ),
      (
        "m.room.message",
        ["msgtype": "m.text", "body": "of Skein", "io.skein.message": ["kind": "text", "id": "m1"]]
      ),
    ]
    for (type, content) in relations { homeserver.append(content, type: type, sender: TestHomeserver.bob) }
    homeserver.append(
      ["pinned": ["$2"]], type: "m.room.pinned_events", sender: TestHomeserver.bob, stateKey: "")
    homeserver.append(
      ["membership": "join"], type: "m.room.member", sender: TestHomeserver.bob, stateKey: TestHomeserver.bob)
  }
}
