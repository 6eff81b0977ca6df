import Foundation
import Skein
import SkeinSimulation
import Testing

@Suite("Inspection of a client")
struct InspectionTests {
  @Test(
    "An inspection lists spans, the number of unread messages below a span, and waiting operations",
    .simulated)
  func inspected() async throws {
    try LoadingTests.fill(stage, 1...30)
    var options = ChatOptions()
    options.catchUpPageSize = 5
    let bob = try await stage.client("bob", on: "bob", options: options)
    bob.start()
    try await bob.conversations.list { $0.count == 1 && $0.first?.lastMessage != nil }
    let chat = try #require(bob.conversations.conversations.first).id
    let caughtUp = try await bob.inspection(of: [chat])
    let span = try #require(caughtUp.chats.first?.spans.first)
    #expect(caughtUp.chats.first?.spans.count == 1)
    #expect(span.count == 5)
    #expect(!span.reachesStart)
    #expect(span.unreadBelow == 25)
    #expect(span.times != nil)
    #expect(caughtUp.cursor != nil)
    #expect(caughtUp.operations.isEmpty)

    await bob.stop()
    let first = try await bob.send(TextContent("one"), to: chat)
    let messenger = bob.context(for: chat).messenger
    try await messenger.send(TextContent("two"), replyingTo: first.id)
    let waiting = try await bob.inspection(of: [])
    #expect(waiting.chats.isEmpty)
    #expect(waiting.operations.map(\.kind) == ["send", "send"])
    #expect(waiting.operations.map(\.waitsFor) == [nil, first.id])
    #expect(waiting.operations.allSatisfy { $0.attempts == 0 && $0.conversation == chat })
  }
}
