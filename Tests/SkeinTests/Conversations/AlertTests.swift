import SkeinSimulation
import SkeinStorage
import Synchronization
import Testing

@testable import Skein

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
    "If a start withholds several batches of one chat, their messages are one part of one alert",
    .simulated(seeds: 1...2))
  func withheldBatches() async throws {
    let store = try await OddServerTests.store(stage)
    let phase = AppPhase()
    phase.isInBackground = true
    let alerts = Alerts(store: store, phase: phase, options: AlertOptions())
    let updates = alerts.updates
    let info = ConversationInfo(ref: ConversationRef(rawValue: "r"), type: .group)
    for position: Int64 in 1...3 {
      let delta = ConversationDelta(info: info, count: Int(position), messages: [.number(position)])
      let batch = SyncBatch(
        from: position == 1 ? nil : SyncCursor(rawValue: "\(position - 1)"),
        next: SyncCursor(rawValue: "\(position)"), conversations: [delta])
      _ = try await store.write(.kill, isWithheld: true) {
        try Intake($0).apply(batch, isPushed: position > 1)
      }
    }
    store.feed.publish(.release)
    let alert = try #require(await updates.first { _ in true })
    #expect(alert.parts.count == 1)
    #expect(alert.parts.first?.messages.map(\.content.displayedText) == ["1", "2", "3"])
    alerts.close()
    await store.database.close()
  }

  @Test(
    "A batch causes one alert unless its chat is shown; own messages and the first sync cause no alert",
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
