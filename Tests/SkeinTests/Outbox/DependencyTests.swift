import Foundation
import SkeinStorage
import Synchronization
import Testing

import SkeinSimulation
@testable import Skein

@Suite("Dependencies between messages")
struct DependencyTests {
  @Test(
    "A dependent message is sent after the message that it depends on, or fails with it, also across chats",
    .simulated)
  func order() async throws {
    let client = try await stage.client("alice", on: "phone") { backend in
      backend.onSend = { [inner = backend.inner] message in
        guard String(decoding: message.payload, as: UTF8.self).contains("bad") else {
          try await stage.runtime(named: "network").sleep(for: .seconds(5))
          return try await inner.send(message)
        }
        throw BackendError(.permanent, "No bad words.")
      }
    }
    let chats = [try await client.open(.direct("bob")), try await client.open(.direct("carol"))]
    let first = try await client.send(TextContent("first"), to: chats[0])
    let bad = try await client.send(TextContent("bad"), to: chats[0])
    let messenger = client.context(for: chats[1]).messenger
    let second = try await messenger.send(TextContent("second"), after: first.id)
    let failing = try await messenger.send(TextContent("third"), after: bad.id)
    let chain = try await client.messenger(for: chats[0]).send(TextContent("fourth"), after: failing.id)
    client.start()
    _ = try await second.result
    #expect(try await first.state == .sent)
    for message in [failing, chain] {
      let failure = try await #require(throws: SendFailure.self) { try await message.result }
      #expect(failure.message == "No bad words.")
    }
    #expect(stage.server.posts == [first.messageID, second.messageID])
    #expect(try await client.waitingMessageCount() == 0)
    await client.close()
  }

  @Test(
    "Operations that depend on a message are found without reading the whole outbox", .simulated(seeds: 1...1)
  )
  func index() async throws {
    let client = try await stage.client("alice", on: "phone")
    let plan = try await client.store.read {
      try $0.rows(
        (Int.self, Int.self, Int.self, String.self),
        "EXPLAIN QUERY PLAN SELECT id FROM operation WHERE depends_on = ? ORDER BY id",
        LocalMessageID(rawValue: 1))
    }
    #expect(plan.map(\.3).allSatisfy { $0.contains("INDEX operation_depends_on") })
    await client.close()
  }

  @Test(
    "Messages that depend on a cancelled message fail, and no message can depend on a failed message",
    .simulated)
  func cancelled() async throws {
    let client = try await stage.client("alice", on: "phone")
    let chat = try await client.open(.direct("bob"))
    let first = try await client.send(TextContent("first"), to: chat)
    let messenger = client.messenger(for: chat)
    let second = try await messenger.send(TextContent("second"), after: first.id)
    try await first.cancel()
    guard case .failed(let failure) = try await second.state, failure.code == .cancelled else {
      throw Unexpected(what: "\(try await second.state)")
    }
    await #expect(throws: ChatError.self) {
      _ = try await messenger.send(TextContent("third"), after: second.id)
    }
    await client.close()
  }

  @Test("Forwarded media is uploaded once, whether its original was sent or still waits", .simulated)
  func forwarding() async throws {
    var client = try await stage.client("alice", on: "phone")
    let file = stage.folder.appending(path: "picture.png")
    try Data(repeating: 7, count: 1000).write(to: file)
    let chat = try await client.open(.direct("bob"))
    let text = try await client.send(TextContent("look"), to: chat)
    let picture = try await client.send(ImageContent(file: file), to: chat)
    let early = try await client.forward(
      [text.id, picture.id],
      to: [.direct("carol"), .group(id: "trip", title: "Trip", members: ["dave"])])
    #expect(early.count == 4)
    await client.close()

    client = try await stage.client("alice", on: "phone")
    client.start()
    try await client.context(for: chat).list { $0.count(.sent) == 2 }
    for copy in early { _ = try await SentMessage.result(of: copy, by: client) }
    let late = try await client.forward([picture.id], to: [try await client.open(.direct("erin"))])
    let message = try await late[0].result
    #expect(message.content.as(ImageContent.self)?.image.media?.id == "media-1000")
    #expect(stage.server.uploads == 1)
    let rooms = stage.server.rooms().map { stage.server.messages(in: $0) }
    #expect(rooms.map(\.count).sorted() == [1, 2, 2, 2])
    let payloads = Set(rooms.flatMap { $0 }.map(\.payload))
    #expect(payloads.count == 2)
    await client.close()
  }

  @Test(
    "A received message that names a local file is not forwarded, even if a send participant changes the message",
    .simulated,
    arguments: [false, true])
  func strangersFile(isChanged: Bool) async throws {
    let bob = try await stage.client("bob", on: "bob")
    let meddler = TestParticipant("Meddler", Transcript()) {
      $0.onIntercept = { draft in
        guard isChanged, var image = draft.content.as(ImageContent.self) else { return .proceed }
        image.width = 7
        draft.content = .known(image)
        return .proceed
      }
    }
    let client = try await stage.client("alice", on: "phone", with: [meddler]) { backend in
      backend.onSync = { cursor, batch in
        var batch = batch
        let file = MessageAttachment.file(URL(fileURLWithPath: "/etc/hosts"), type: "text/plain")
        let payload = try KindRegistry.encode(ImageContent(file))
        for index in batch.conversations.indices {
          for message in batch.conversations[index].messages.indices {
            batch.conversations[index].messages[message].kind = ImageContent.kind
            batch.conversations[index].messages[message].payload = payload
          }
        }
        return batch
      }
    }
    bob.start()
    client.start()
    _ = try await bob.send(TextContent("1"), to: try await bob.open(.direct("alice"))).result
    let chat = try await client.open(.direct("bob"))
    let list = try await client.context(for: chat).list { $0.count == 1 }
    let id = try #require(list.first?.message?.id)
    await #expect(throws: ChatError.self) { try await client.forward([id], to: [chat]) }
    #expect(try await client.waitingMessageCount() == 0)
    await bob.close()
    await client.close()
  }
}

extension SentMessage {
  /// The result of a message that an earlier client accepted, as `client` observes it.
  fileprivate static func result(of message: SentMessage, by client: ChatClient) async throws -> ChatMessage {
    let row = try await client.store.read { try $0.find(MessageRow.self, message.id) }
    let found = try #require(row)
    return try await SentMessage(found, client.messenger(for: found.conversation)).result
  }
}
