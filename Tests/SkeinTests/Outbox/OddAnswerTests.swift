import Foundation
import Synchronization
import SkeinSimulation
import Testing

@testable import Skein

@Suite("Sending to a server with odd answers")
struct OddAnswerTests {
  @Test(
    "If the server stores other content under a message's id, the sent message shows the server's content",
    .simulated)
  func receiptForOtherContent() async throws {
    let alice = try await stage.client("alice", on: "alice") { [server = stage.server] backend in
      backend.onSend = { message in
        let held = OutgoingMessage(
          id: message.id, conversation: message.conversation, kind: message.kind,
          payload: Data(#"{"text":"first"}"#.utf8))
        return try server.send(held, from: "alice")
      }
    }
    alice.start()
    let chat = try await alice.open(.direct("bob"))
    _ = try await alice.send(TextContent("second"), to: chat).result
    let list = try await alice.context(for: chat).list { $0.texts == ["first"] }
    #expect(list.count(.sent) == 1, "\(list.texts)")
    await alice.close()
  }

  @Test(
    "A cancellation error from the backend counts as a failed attempt, and the next attempt is delayed",
    .simulated)
  func cancellation() async throws {
    let attempts = Mutex(0)
    let alice = try await stage.client("alice", on: "alice") { backend in
      backend.onSend = { _ in
        attempts.withLock { $0 += 1 }
        throw CancellationError()
      }
    }
    alice.start()
    let chat = try await alice.open(.direct("bob"))
    try await alice.send(TextContent("hello"), to: chat)
    try await stage.runtime(named: "stage").sleep(for: .seconds(60))
    let count = attempts.withLock { $0 }
    #expect((1...40).contains(count))
    await alice.close()
  }

  @Test(
    "A message whose id is in use counts as sent and shows the stored message, even if that has no server id",
    .simulated)
  func adoption() async throws {
    let alice = try await stage.client("alice", on: "alice") { backend in
      backend.onSend = { message in
        let stored = IncomingMessage(
          serverID: nil, messageID: message.id, sender: "alice", position: nil,
          time: Timestamp(milliseconds: 7), kind: "text", payload: Data(#"{"text":"first"}"#.utf8))
        throw BackendError(.idInUse, "The id stands for another message.", stored: stored)
      }
    }
    alice.start()
    let chat = try await alice.open(.direct("bob"))
    try await alice.send(TextContent("second"), to: chat)
    let list = try await alice.context(for: chat).list { $0.count(.sent) == 1 }
    #expect(list.texts == ["first"])
    let waiting = try await alice.waitingMessageCount()
    #expect(waiting == 0)
    await alice.close()
  }

  @Test(
    "A retry after the server refuses a new group keeps the group's key; another device's group has another key",
    .simulated(seeds: 1...2))
  func groupAgain() async throws {
    let names = Mutex<[String]>([])
    for device in ["phone", "laptop"] {
      let alice = try await stage.client("alice", on: device) { backend in
        backend.onOpen = { request in
          if case .group(let id, _, _) = request { names.withLock { $0.append(id) } }
          throw BackendError(.permanent, "No.")
        }
      }
      alice.start()
      let chat = try await alice.openGroup(title: "Trip", members: ["bob"])
      let context = alice.context(for: chat)
      try await context.messenger.send(TextContent("hello"))
      let list = try await context.list { $0.count(.failed) == 1 }
      let asked = names.withLock { $0.count }
      try await context.messenger.retry(try #require(list.first?.message?.id))
      while names.withLock({ $0.count }) == asked {
        try await stage.runtime(named: "stage").sleep(for: .milliseconds(100))
      }
      try await context.list { $0.count(.failed) == 1 }
      await alice.close()
    }
    let all = names.withLock { $0 }
    try #require(all.count == 4)
    #expect(all[0] == all[1])
    #expect(all[2] == all[3])
    #expect(all[1] != all[2])
  }

  @Test(
    "A message that failed before its chat was first synced is still listed after a restart",
    .simulated)
  func failedFirst() async throws {
    try LoadingTests.fill(stage, 1...80)
    var bob = try await stage.client("bob", on: "bob")
    let chat = try await bob.open(.direct("alice"))
    try await bob.send(TextContent("refused"), to: chat)
    stage.server.fail(next: [.refused])
    bob.start()
    var list = try await bob.context(for: chat).list { $0.count(.failed) == 1 && $0.count(.sent) == 50 }
    #expect(list.texts.contains("refused"))
    await bob.close()
    bob = try await stage.client("bob", on: "bob")
    let context = bob.context(for: chat)
    try await context.open()
    if context.messages.count(.failed) == 0 { try await context.fetchMorePreviousMessages() }
    #expect(context.messages.count(.failed) == 1, "gone after a restart: \(context.messages.texts)")
    while context.hasMorePreviousMessages { try await context.fetchMorePreviousMessages() }
    list = context.messages
    #expect(list.count == 81, "\(list.texts)")
    #expect(list.count(.failed) == 1, "\(list.texts)")
    await bob.close()
  }

  @Test("A receipt that names another user's message does not remove that message", .simulated(seeds: 1...1))
  func foreignServerID() async throws {
    let client = try await stage.client("alice", on: "phone") { backend in
      backend.onSend = { [inner = backend.inner] message in
        var receipt = try await inner.send(message)
        receipt.serverID = ServerMessageID(rawValue: "alice+bob/1")
        return receipt
      }
    }
    let ref = try stage.server.open(.direct("alice"), by: "bob").ref
    try stage.server.post("precious", from: "bob", in: ref)
    client.start()
    let context = client.context(for: try await client.open(.direct("bob")))
    try await context.list { $0.count == 1 }
    _ = try await context.messenger.send(TextContent("1")).result
    #expect(context.messages.texts.contains("precious"))
    await client.close()
  }
}
