import Skein
import SkeinSimulation
import Synchronization
import Testing

@Suite("Alerts")
struct AlertTests {
  /// Gathers the texts of each alert of a client, and whether it sounded.
  private func gather(_ client: ChatClient, on stage: SimulatedStage) -> Gathered {
    let gathered = Gathered()
    let alerts = client.alerts
    _ = stage.runtime(named: "listener").spawn {
      for await alert in alerts {
        gathered.add(
          (alert.makesSound ? "♪ " : "")
            + alert.parts.flatMap(\.messages).map(\.content.displayedText).joined(separator: " "))
      }
    }
    return gathered
  }

  /// The alerts that were received.
  final class Gathered: Sendable {
    private let entries = Mutex<[String]>([])
    func add(_ entry: String) { entries.withLock { $0.append(entry) } }
    var all: [String] { entries.withLock { $0 } }
  }

  @Test(
    "A batch alerts once while its chat is not shown; a start and own messages do not alert",
    .simulated)
  func batches() async throws {
    let ref = try stage.server.open(.direct("bob"), by: "alice").ref
    try stage.server.post("before", from: "alice", in: ref)
    let bob = try await stage.client("bob", on: "bob")
    let told = self.gather(bob, on: stage)
    bob.start()
    let chat = try await bob.conversations.first { $0.lastMessage != nil }.id
    _ = await bob.catchUpStates.first { $0 == .caughtUp }
    try stage.server.post(["one", "two"], from: "alice", in: ref)
    let context = bob.context(for: chat)
    try await context.list { $0.texts.last == "two" }
    let clock = stage.runtime(named: "clock")
    while told.all.isEmpty { try await clock.sleep(for: .milliseconds(10)) }
    _ = try await bob.send(TextContent("own"), to: chat).result
    bob.activeConversation = chat
    try stage.server.post("three", from: "alice", in: ref)
    try await context.list { $0.texts.last == "three" }
    bob.isInBackground = true
    try await clock.sleep(for: .seconds(10))
    try stage.server.post("four", from: "alice", in: ref)
    while told.all.count < 2 { try await clock.sleep(for: .milliseconds(10)) }
    #expect(told.all == ["♪ one two", "♪ four"])
    await bob.close()
  }
}
