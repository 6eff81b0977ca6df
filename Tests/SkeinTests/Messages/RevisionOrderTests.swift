import Foundation
import Skein
import SkeinSimulation
import Synchronization
import Testing

@Suite("The order of actions")
struct RevisionOrderTests {
  @Test(
    "Of two edits of a message the second one counts, even if the first one was parked",
    .simulated)
  func parkedEdit() async throws {
    let isMended = Mutex(false)
    let client = try await stage.client("alice", on: "phone") { backend in
      backend.onPerform = { action in
        guard case .edit(_, let payload) = action.action else { return }
        let isBad = String(decoding: payload, as: UTF8.self).contains("two")
        guard isBad, !isMended.withLock({ $0 }) else { return }
        throw BackendError(.transient, "The server broke.")
      }
    }
    client.start()
    let chat = try await client.open(.direct("bob"))
    let context = client.context(for: chat)
    let sent = try await context.messenger.send(TextContent("one"))
    _ = try await sent.result
    try await context.messenger.edit(sent.id, to: TextContent("two"))
    // Once the edit is parked, the lane continues without it.
    _ = try await context.messenger.send(TextContent("next")).result
    try await context.messenger.edit(sent.id, to: TextContent("three"))
    _ = try await context.messenger.send(TextContent("after")).result
    isMended.withLock { $0 = true }
    let list = try await context.list { list in
      list.count(.sent) == 3 && list.compactMap(\.message).allSatisfy { !$0.hasPendingAction }
    }
    #expect(list.texts == ["three", "next", "after"], "\(list.texts)")
    await client.close()
    let ref = try #require(stage.server.rooms().first)
    let first = try #require(stage.server.messages(in: ref).first)
    #expect(String(decoding: first.payload, as: UTF8.self).contains("three"), "the first edit came last")
  }

  @Test(
    "Of several changes of a reaction the last one counts, even if the first change gets no answer",
    .simulated, arguments: [true, false])
  func reactionAfterATry(arrives: Bool) async throws {
    let isMute = Mutex(true)
    let client = try await stage.client("alice", on: "phone") { backend in
      backend.onPerform = { [inner = backend.inner] action in
        guard isMute.withLock({ $0 }) else { return }
        if arrives { _ = try await inner.perform(action) }
        throw BackendError(.transient, "No answer.", outcomeIsUnknown: true)
      }
    }
    client.start()
    let chat = client.context(for: try await client.open(.direct("bob")))
    let id = try await chat.messenger.send(TextContent("one")).result.id
    try await chat.messenger.addReaction("👍", to: id)
    try await stage.runtime(named: "stage").sleep(for: .seconds(5))
    try await chat.messenger.removeReaction("👍", from: id)
    try await chat.messenger.addReaction("👍", to: id)
    try await chat.messenger.removeReaction("👍", from: id)
    isMute.withLock { $0 = false }
    try await chat.list { $0.first?.message.map { !$0.hasPendingAction } ?? false }
    let ref = try #require(stage.server.rooms().first)
    #expect(stage.server.messages(in: ref).first?.reactions?.isEmpty == true)
    await client.close()
  }
}
