import Foundation
import SkeinModel
import SkeinTransport
import Synchronization
import Testing

@testable import SkeinMatrix

@Suite("Messages that a Matrix backend sends")
struct SendTests {
  private static func backend(_ homeserver: ScriptedTransport) -> MatrixBackend {
    MatrixBackend(.alice, options: MatrixOptions(), transport: homeserver, polling: homeserver)
  }

  /// Sends a reply, or a message that is none.
  private static func send(_ id: String, by backend: MatrixBackend, isReply: Bool = true) async throws {
    let replied = MessageReference(
      sender: "@bob:a", messageID: nil, serverID: ServerMessageID(rawValue: "$replied"))
    _ = try await backend.send(
      OutgoingMessage(
        id: MessageID(rawValue: id), conversation: ConversationRef(rawValue: "!r:a"), kind: TextContent.kind,
        payload: KindRegistry.encode(TextContent("hello")), replyTo: isReply ? replied : nil))
  }

  @Test(
    "If a call before the request with the message fails, the message was certainly not sent",
    arguments: ["/m.room.tombstone", "/m.room.encryption", "/event/"])
  func failedBefore(call: String) async throws {
    let homeserver = ScriptedTransport { request in
      request.url.path(percentEncoded: false).contains(call)
        ? TransportAnswer(status: 502) : .refusal(404, "M_NOT_FOUND")
    }
    let error = await #expect(throws: BackendError.self) {
      try await Self.send("m1", by: Self.backend(homeserver))
    }
    #expect(error?.code == .transient && error?.outcomeIsUnknown == false)
    #expect(!homeserver.requests.contains { $0.contains("/send/") })
  }

  @Test("After a lost answer the outcome stays unknown, whichever call fails next")
  func failedAfter() async throws {
    let isDown = Mutex(false)
    let homeserver = ScriptedTransport { request in
      isDown.withLock { $0 } || request.url.path().contains("/send/")
        ? TransportAnswer(status: 502) : .refusal(404, "M_NOT_FOUND")
    }
    let backend = Self.backend(homeserver)
    for _ in 1...2 {
      let error = await #expect(throws: BackendError.self) { try await Self.send("m1", by: backend) }
      #expect(error?.outcomeIsUnknown == true)
      isDown.withLock { $0 = true }
      // As after a loss of the push channel.
      backend.memory.current.removeAll()
    }
    #expect(homeserver.requests.count { $0.contains("/send/") } == 1)
  }

  @Test("A lost answer is not forgotten, however many messages are sent meanwhile")
  func manySent() async throws {
    let isDown = Mutex(false)
    let homeserver = ScriptedTransport { request in
      let path = request.url.path(percentEncoded: false)
      if path.hasSuffix("/m1") || isDown.withLock({ $0 }) { return TransportAnswer(status: 502) }
      return path.contains("/send/") ? .json(["event_id": "$sent"]) : .refusal(404, "M_NOT_FOUND")
    }
    let backend = Self.backend(homeserver)
    await #expect(throws: BackendError.self) { try await Self.send("m1", by: backend, isReply: false) }
    for number in 2...8200 { try await Self.send("m\(number)", by: backend, isReply: false) }
    isDown.withLock { $0 = true }
    // As after a loss of the push channel.
    backend.memory.current.removeAll()
    let error = await #expect(throws: BackendError.self) {
      try await Self.send("m1", by: backend, isReply: false)
    }
    #expect(error?.outcomeIsUnknown == true)
  }

  @Test("A table of recent entries keeps an entry that was removed and set again")
  func tables() {
    let table = RecentTable<Int, Int>()
    (table[0], table[0]) = (1, nil)
    for key in 1...4095 { table[key] = key }
    table[0] = 2
    for key in 4096...8190 { table[key] = key }
    #expect(table[0] == 2 && table[8190] == 8190)
    for key in 8191...20_000 { table[key] = key }
    #expect(table[0] == nil)
  }

  @Test("Nothing is sent into a room that was encrypted while the push channel was closed")
  func encryptedMeanwhile() async throws {
    let isEncrypted = Mutex(false)
    let homeserver = ScriptedTransport { request in
      let path = request.url.path(percentEncoded: false)
      if path.hasSuffix("/sync") { return .refusal(401, "M_UNKNOWN_TOKEN") }
      if path.contains("/send/") { return .json(["event_id": "$sent"]) }
      return path.contains("/m.room.encryption") && isEncrypted.withLock { $0 }
        ? .json(["algorithm": "m.megolm.v1.aes-sha2"]) : .refusal(404, "M_NOT_FOUND")
    }
    let backend = Self.backend(homeserver)
    try await Self.send("m1", by: backend)
    await #expect(throws: BackendError.self) { try await backend.run(since: nil) { _ in } }
    isEncrypted.withLock { $0 = true }
    let error = await #expect(throws: BackendError.self) { try await Self.send("m2", by: backend) }
    #expect(error?.code == .permanent)
    #expect(homeserver.requests.count { $0.contains("/send/") } == 1)
  }
}
