import Foundation
import SkeinModel
import SkeinTransport
import Synchronization
import Testing

@testable import SkeinMatrix

/// Pins and stars are lists: a client reads the whole list, changes it and stores it.
@Suite("Flags that two devices set at once")
struct FlagTests {
  private static let room = ConversationRef(rawValue: "!r:a")
  private static let id = ServerMessageID(rawValue: "$message")

  /// A homeserver with one message. Another device, which has read the lists before, overwrites the first change.
  private static func homeserver() -> ScriptedTransport {
    let stored = Mutex<[JSONValue]>([])
    return ScriptedTransport { request in
      let path = request.url.path(percentEncoded: false)
      if path.contains("/event/") { return .json(event("m.room.message", ["body": "hello"])) }
      guard path.contains("/m.room.pinned_events") || path.contains("/io.skein.stars") else {
        return .refusal(404, "M_NOT_FOUND")
      }
      let isPin = path.contains("/m.room.pinned_events")
      if case .bytes(let body)? = request.body {
        let content = try JSONDecoder().decode(JSONValue.self, from: Data(body))
        let other: JSONValue = isPin ? ["pinned": ["$other"]] : ["stars": ["$other": 1]]
        stored.withLock { $0 += $0.isEmpty ? [content, other] : [content] }
        return .json(["event_id": "$message"])
      }
      guard let content = stored.withLock({ $0.last }) else { return .refusal(404, "M_NOT_FOUND") }
      return .json(isPin ? event("m.room.pinned_events", content) : content)
    }
  }

  private static func event(_ type: String, _ content: JSONValue) -> JSONValue {
    [
      "event_id": "$message", "type": .string(type), "sender": "@bob:a", "origin_server_ts": 5,
      "content": content,
    ]
  }

  @Test(
    "A flag that another device overwrites at once is set again, and that device's flag stays",
    arguments: [MessageFlag.pin, .star])
  func overwritten(flag: MessageFlag) async throws {
    let homeserver = Self.homeserver()
    let backend = MatrixBackend(
      .alice, options: MatrixOptions(), transport: homeserver, polling: homeserver)
    let message = try await backend.perform(
      OutgoingAction(
        id: ActionID(rawValue: "a"), conversation: Self.room,
        message: MessageReference(sender: "@bob:a", messageID: nil, serverID: Self.id),
        action: .flag(flag, isSet: true)))
    #expect(message?.flags[flag] != nil)
    let flags = try await backend.flags(of: Self.room)
    #expect(flag == .pin ? flags.pins.messages.count == 2 : flags.stars.times.count == 2)
    #expect(homeserver.requests.count { $0.hasPrefix("PUT") } == 2)
  }
}
