import Foundation
import Testing

import SkeinSimulation
@testable import Skein

@Suite("Merged forwards")
struct MergedForwardTests {
  @Test("Messages of both users and of any kind arrive unchanged inside one merged message", .simulated)
  func merged() async throws {
    let alice = try await stage.client("alice", on: "phone")
    alice.start()
    let file = stage.folder.appending(path: "picture.png")
    try Data(repeating: 7, count: 1000).write(to: file)
    let chat = try await alice.open(.direct("bob"))
    let text = try await alice.send(TextContent("look"), to: chat)
    let picture = try await alice.send(ImageContent(file: file), to: chat)
    _ = try await text.result
    _ = try await picture.result
    let ref = try #require(stage.server.rooms().first)
    let strange = OutgoingMessage(
      id: MessageID(rawValue: "strange"), conversation: ref, kind: "com.example.strange",
      payload: Data("{}".utf8))
    _ = try stage.server.send(strange, from: "bob")
    let context = alice.context(for: chat)
    let ids = try await context.list { $0.count == 3 }.compactMap(\.message?.id)
    let sent = try await alice.forward(merged: ids, title: "Alice and Bob", to: alice.open(.direct("carol")))
    _ = try await sent.result

    let carol = try await stage.client("carol", on: "tablet")
    carol.start()
    let received = try await carol.conversations.first { $0.lastMessage != nil }
    let preview = try #require(received.lastMessage)
    #expect(preview.content.displayedText == "[chat history] Alice and Bob")
    let content = try #require(preview.content.as(MergedForwardContent.self))
    #expect(content.messages.map(\.sender) == ["alice", "alice", "bob"])
    let read = content.messages.map { KindRegistry.standard.content(of: $0) }
    #expect(read.map(\.displayedText) == ["look", "[image]", "[com.example.strange]"])
    let image = read[1].as(ImageContent.self)
    #expect(image?.image.media?.size == 1000)
    await alice.close()
    await carol.close()
  }

  @Test("A merged forward can't be empty, or contain messages that the server does not have", .simulated)
  func unsent() async throws {
    let client = try await stage.client("alice", on: "phone")
    let chat = try await client.open(.direct("bob"))
    let waiting = try await client.send(TextContent("still here"), to: chat)
    for messages in [[waiting.id], []] {
      await #expect(throws: ChatError.self) {
        try await client.forward(merged: messages, title: "Nothing", to: chat)
      }
    }
    #expect(try await client.waitingMessageCount() == 1)
    await client.close()
  }
}
