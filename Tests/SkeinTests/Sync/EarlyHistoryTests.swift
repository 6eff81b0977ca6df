import Foundation
import SkeinSimulation
import SkeinStorage
import Synchronization
import Testing

@testable import Skein

@Suite("History loaded before the first sync")
struct EarlyHistoryTests {
  @Test(
    "If a receipt is the first to name the epoch, a page loaded earlier is loaded again after the first sync",
    .simulated(seeds: 1...4))
  func pageBeforeReceipt() async throws {
    let isReachable = Mutex(false)
    isReachable.withLock { $0 = false }
    var options = ChatOptions()
    options.catchUpPageSize = 1
    let ref = try stage.server.open(.direct("bob"), by: "alice").ref
    for number in 1...3 { try stage.server.post("\(number)", from: "alice", in: ref) }
    let bob = try await stage.client("bob", on: "bob", options: options) { backend in
      backend.onSync = { _, batch in
        guard isReachable.withLock({ $0 }) else { throw BackendError(.transient, "No answer.") }
        return batch
      }
    }
    let chat = try await bob.open(.direct("alice"))
    let context = bob.context(for: chat)
    try await bob.store.write(.kill) { try $0.change(chat) { $0.ref = ref } }
    try await context.fetchNewMessages()
    bob.start()
    _ = try await context.messenger.send(TextContent("4")).result

    let first = try #require(stage.server.messages(in: ref).first)
    _ = try stage.server.perform(
      OutgoingAction(
        id: ActionID(rawValue: "r"), conversation: ref,
        message: MessageReference(sender: "alice", messageID: first.messageID, serverID: first.serverID),
        action: .edit("text", payload: Data(#"{"text":"edited"}"#.utf8))), by: "alice")
    isReachable.withLock { $0 = true }
    for await state in bob.catchUpStates where state == .caughtUp { break }
    try await EpochTests.fillAll(context)
    let list = context.messages
    #expect(list.texts == ["edited", "2", "3", "4"], "\(list.texts)")
    await bob.close()
  }
}
