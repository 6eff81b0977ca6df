import Foundation
import Skein
import SkeinTransport
import Synchronization
import Testing

@testable import SkeinMatrix

/// A device with the newest 20 of 60 messages pages back, while the homeserver answers with garbage.
@Suite("Hostile history", .timeLimit(.minutes(2)))
struct HostileHistoryTests {
  /// Runs `attack`, then pages back to the first message.
  private func survives(_ attack: (TestPhone, TestHomeserver) async throws -> Void) async throws {
    try await TestPhone.survives(count: 60) { phone, homeserver in
      try await attack(phone, homeserver)
      homeserver.damage(.messages, nil)
      while phone.chat.hasMorePreviousMessages { try await phone.chat.fetchMorePreviousMessages() }
      #expect(phone.shown == (1...60).map { "\($0)" })
    }
  }

  @Test(
    "A damaged page is refused as a whole, and the error says what came", arguments: HostileAnswer.pages)
  func page(_ hostile: HostileAnswer) async throws {
    try await survives { phone, homeserver in
      let before = phone.shown
      homeserver.damage(.messages) { _ in hostile.answer }
      let error = await #expect(throws: BackendError.self) {
        try await phone.chat.fetchMorePreviousMessages()
      }
      let message = error?.message ?? ""
      #expect(
        message.contains("GET v3/rooms/!room:example.org/messages") && message.contains(hostile.problem))
      #expect(phone.shown == before)
    }
  }

  @Test(
    "Paging ends with an error if tokens lead nowhere, and no gap is closed",
    arguments: ["the same token", "two tokens in turn", "a new token each time", "a known message each time"])
  func tokens(_ name: String) async throws {
    try await survives { phone, homeserver in
      let calls = Mutex(0)
      homeserver.damage(.messages) { answer in
        let number = calls.withLock { number in
          number += 1
          return number
        }
        return answer.changing { page in
          switch name {
          case "the same token": page["end"] = page["start"]
          case "two tokens in turn": page["end"] = .string("s\(41 + number % 2)")
          default: page["end"] = .string("s40 \(number)")
          }
          page["chunk"] = name.hasPrefix("a known") ? [Self.known] : []
        }
      }
      for _ in 1...3 {
        await #expect(throws: BackendError.self) { try await phone.chat.fetchMorePreviousMessages() }
      }
      #expect(phone.shown.count == 20 && phone.chat.hasMorePreviousMessages)
      #expect(homeserver.requests(.messages) < 1000)
    }
  }

  /// The last message of the room.
  private static let known: JSONValue = [
    "event_id": "$60", "type": "m.room.message", "sender": "@bob:example.org", "origin_server_ts": 1_000_060,
    "content": ["msgtype": "m.text", "body": "60"],
  ]

  @Test("A page with events of another room is refused")
  func otherRoom() async throws {
    try await survives { phone, homeserver in
      homeserver.damage(.messages) { answer in
        answer.changing { page in
          page["chunk"] = .array(
            (page["chunk"]?.array ?? []).map { event in
              var event = event
              event["room_id"] = "!other:example.org"
              event["content"] = ["msgtype": "m.text", "body": "from elsewhere"]
              return event
            })
        }
      }
      await #expect(throws: BackendError.self) { try await phone.chat.fetchMorePreviousMessages() }
      #expect(!phone.shown.contains("from elsewhere"))
    }
  }

  @Test(
    "A jump with a damaged answer fails with an error that says what came",
    arguments: HostileAnswer.everywhere)
  func jump(_ hostile: HostileAnswer) async throws {
    try await survives { phone, homeserver in
      homeserver.damage(.context) { _ in hostile.answer }
      let error = await #expect(throws: BackendError.self) {
        try await phone.chat.jump(to: ServerMessageID(rawValue: "$5"))
      }
      #expect(error?.message.contains("GET v3/rooms/!room:example.org/context/$5") == true, "\(error as Any)")
    }
  }

  @Test("A jump to a message is refused if the homeserver returns another message or another room's")
  func otherMessage() async throws {
    for (field, value) in [("event_id", "$7"), ("room_id", "!other:example.org")] {
      try await survives { phone, homeserver in
        homeserver.damage(.context) { answer in
          answer.changing { answer in
            var event = answer["event"]
            event?[field] = .string(value)
            answer["event"] = event
          }
        }
        await #expect(throws: BackendError.self) {
          try await phone.chat.jump(to: ServerMessageID(rawValue: "$5"))
        }
      }
    }
  }
}
