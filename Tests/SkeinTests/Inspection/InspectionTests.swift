import Foundation
import Skein
import SkeinSimulation
import Testing

@Suite("Looking at what a client knows")
struct InspectionTests {
  @Test("It says what is complete, what is missing, and what is still to be done")
  func inspected() async {
    let failures = await SimulatedRun.play { stage in
      try LoadingTests.fill(stage, 1...30)
      var options = ChatOptions()
      options.catchUpPageSize = 5
      let bob = try await stage.client("bob", on: "bob", options: options)
      bob.start()
      try await bob.conversations.list { $0.count == 1 && $0.first?.lastMessage != nil }
      let chat = try #require(bob.conversations.conversations.first).id
      let caughtUp = try await bob.inspection(of: [chat])
      let span = try #require(caughtUp.chats.first?.spans.first)
      try expect(caughtUp.chats.first?.spans.count == 1 && span.count == 5, "\(caughtUp)")
      try expect(!span.reachesStart && span.unreadBelow == 25 && span.times != nil, "\(span)")
      try expect(caughtUp.cursor != nil && caughtUp.operations.isEmpty, "\(caughtUp)")

      await bob.stop()
      let first = try await bob.send(TextContent("one"), to: chat)
      let messenger = bob.context(for: chat).messenger
      try await messenger.send(TextContent("two"), replyingTo: first.id)
      let waiting = try await bob.inspection(of: [])
      try expect(waiting.chats.isEmpty && waiting.operations.map(\.kind) == ["send", "send"], "\(waiting)")
      try expect(waiting.operations.map(\.waitsFor) == [nil, first.id], "\(waiting)")
      try expect(waiting.operations.allSatisfy { $0.attempts == 0 && $0.conversation == chat }, "\(waiting)")
    }
    #expect(failures == [])
  }
}
