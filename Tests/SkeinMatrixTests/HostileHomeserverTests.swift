import Foundation
import Skein
import SkeinTransport
import Testing

@testable import SkeinMatrix

/// The engine and the backend with a homeserver on a socket, whose answers become damaged.
@Suite("A hostile homeserver", .timeLimit(.minutes(2)))
struct HostileHomeserverTests {
  @Test(
    "A damaged answer to a sync is refused as a whole, and the error says what came",
    arguments: HostileAnswer.syncs)
  func sync(_ hostile: HostileAnswer) async throws {
    try await TestPhone.survives { phone, homeserver in
      homeserver.damage(.sync) { _ in hostile.answer }
      await phone.restart()
      let reason = try await phone.failure()
      #expect(reason.message.contains("GET v3/sync") && reason.message.contains(hostile.problem), "\(reason)")
      #expect(phone.shown == ["1", "2", "3"])
    }
  }

  @Test(
    "After a damaged answer to a poll, the push channel opens again", arguments: HostileAnswer.syncs)
  func poll(_ hostile: HostileAnswer) async throws {
    try await TestPhone.survives { phone, homeserver in
      let polls = homeserver.requests(.poll)
      homeserver.damage(.poll) { _ in hostile.answer }
      try await phone.reaches(.offline)
      #expect(homeserver.requests(.poll) > polls)
    }
  }

  @Test(
    "A malformed event is left out of a sync, and the other events are received",
    arguments: HostileEvent.malformed + HostileEvent.odd)
  func event(_ hostile: HostileEvent) async throws {
    try await TestPhone.survives { phone, homeserver in
      homeserver.append(raw: hostile.json)
      homeserver.post("next")
      let texts = try await phone.received("next")
      #expect(texts.count == (hostile.isShown ? 5 : 4))
    }
  }

  @Test("Replies in a circle and edits of edits are received as messages without a circle")
  func circles() async throws {
    try await TestPhone.survives { phone, homeserver in
      let first = homeserver.post("4")
      func content(_ body: String, _ relation: JSONValue) -> JSONValue {
        [
          "msgtype": "m.text", "body": .string(body),
          "m.new_content": ["msgtype": "m.text", "body": .string(body)], "m.relates_to": relation,
        ]
      }
      let bob = TestHomeserver.bob
      // The reply names the message after it, which replies to the reply.
      homeserver.append(
        content("5", ["m.in_reply_to": ["event_id": "$6"]]), type: "m.room.message", sender: bob)
      homeserver.append(
        content("6", ["m.in_reply_to": ["event_id": "$5"]]), type: "m.room.message", sender: bob)
      let edit = homeserver.append(
        content("7", ["rel_type": "m.replace", "event_id": .string(first)]), type: "m.room.message",
        sender: bob)
      homeserver.append(
        content("8", ["rel_type": "m.replace", "event_id": .string(edit)]), type: "m.room.message",
        sender: bob)
      homeserver.post("next")
      let texts = try await phone.received("next")
      #expect(texts.suffix(4) == ["7", "5", "6", "next"])
    }
  }

  @Test("An id that repeats with another content changes no message")
  func repetition() async throws {
    try await TestPhone.survives { phone, homeserver in
      homeserver.append(
        raw:
          #"{"event_id":"$1","type":"m.room.message","sender":"@eve:a","origin_server_ts":9,"content":{"body":"x"}}"#
      )
      homeserver.post("next")
      let texts = try await phone.received("next")
      #expect(texts == ["1", "2", "3", "next"])
    }
  }

  @Test("A pause of any length that the homeserver requests ends with the next start")
  func pause() async throws {
    for pause in ["1e300", "-1", #""soon""#, "9223372036854775807"] {
      try await TestPhone.survives { phone, homeserver in
        let body = #"{"errcode":"M_LIMIT_EXCEEDED","error":"Slow down","retry_after_ms":\#(pause)}"#
        homeserver.damage(.sync) { _ in TransportAnswer(status: 429, body: Array(body.utf8)) }
        await phone.restart()
        let reason = try await phone.failure()
        #expect(reason.code == .rateLimited && reason.message.contains("Slow down"))
        #expect(reason.retryAfter ?? .zero <= .seconds(86_400))
        homeserver.damage(.sync, nil)
        await phone.restart()
      }
    }
  }

  @Test("An answer of a terabyte is cut off, and the error names the call")
  func endless() async throws {
    try await withFolder { folder in
      let file = folder.appending(path: "endless")
      try Data().write(to: file)
      try FileHandle(forWritingTo: file).truncate(atOffset: 1 << 40)
      try await TestPhone.survives { phone, homeserver in
        homeserver.damage(.sync) { _ in TransportAnswer(status: 200, headers: [("X-File", file.path)]) }
        await phone.restart()
        let reason = try await phone.failure()
        #expect(reason.message.contains("GET v3/sync: The answer exceeds its maximum length"))
      }
    }
  }
}
