import Skein
import SkeinSimulation
import Synchronization
import Testing

@Suite("Foreground and background")
struct AppPhaseTests {
  /// Counts the syncs of a client.
  private final class Asked: Sendable {
    private let number = Mutex(0)
    var count: Int { number.withLock { $0 } }
    func count(_ backend: inout AlteredBackend) {
      backend.onSync = { _, batch in
        self.number.withLock { $0 += 1 }
        return batch
      }
    }
  }

  @Test(
    "A client in the background makes no timed fetches, and fetches at once when it is in the foreground again",
    .simulated(seeds: 1...10)
  )
  func rest() async throws {
    let clock = stage.runtime(named: "clock")
    let asked = Asked()
    let bob = try await stage.client("bob", on: "bob", altering: asked.count)
    bob.start()
    _ = await bob.catchUpStates.first { $0 == .caughtUp }
    try await clock.sleep(for: .seconds(100))
    let looking = asked.count
    #expect(looking >= 3)
    bob.isInBackground = true
    try await clock.sleep(for: .seconds(3600))
    #expect(asked.count == looking, "asked \(asked.count - looking) times in the background")
    bob.isInBackground = false
    try await clock.sleep(for: .seconds(1))
    #expect(asked.count == looking + 1, "asked \(asked.count - looking) times on coming back")
    try await clock.sleep(for: .seconds(50))
    #expect(asked.count == looking + 2)
    await bob.close()
  }

  @Test(
    "In the background, pushed changes are still fetched and waiting messages are still sent",
    .simulated(seeds: 1...10))
  func poke() async throws {
    let ref = try stage.server.open(.direct("bob"), by: "alice").ref
    let bob = try await stage.client("bob", on: "bob")
    bob.start()
    _ = await bob.catchUpStates.first { $0 == .caughtUp }
    bob.isInBackground = true
    try stage.server.post("are you there?", from: "alice", in: ref)
    let chat = try await bob.conversations.first { $0.unreadCount == 1 }.id
    _ = try await bob.send(TextContent("yes"), to: chat).result
    await bob.close()
  }

  @Test(
    "A client that returns to the foreground connects at once, however long the next attempt was delayed",
    .simulated(seeds: 1...10))
  func connects() async throws {
    let clock = stage.runtime(named: "clock")
    let isDown = Mutex(true)
    let attempts = Mutex(0)
    let bob = try await stage.client("bob", on: "bob") { backend in
      backend.onRun = { [inner = backend.inner] receive in
        attempts.withLock { $0 += 1 }
        if isDown.withLock({ $0 }) { throw BackendError(.transient, "no network") }
        try await inner.run(since: nil, receive)
      }
    }
    bob.start()
    bob.isInBackground = true
    while attempts.withLock({ $0 }) < 12 { try await clock.sleep(for: .seconds(1)) }
    isDown.withLock { $0 = false }
    let before = stage.world.now
    bob.isInBackground = false
    _ = await bob.connectionStates.first { $0 == .online }
    #expect(stage.world.now - before < .seconds(1))
    await bob.close()
  }

  @Test(
    "Stopping a client during a fetch is not a failure, and a poll interval of zero counts as one second",
    .simulated)
  func stopped() async throws {
    let syncs = Mutex(0)
    var options = ChatOptions()
    options.pollInterval = .zero
    let bob = try await stage.client("bob", on: "bob", options: options) { backend in
      backend.onSync = { _, batch in
        syncs.withLock { $0 += 1 }
        return batch
      }
    }
    bob.start()
    _ = await bob.catchUpStates.first { $0 == .caughtUp }
    try await stage.runtime(named: "clock").sleep(for: .seconds(20))
    let count = syncs.withLock { $0 }
    #expect((10...25).contains(count))
    _ = await bob.catchUpStates.first { $0 == .fetching }
    await bob.stop()
    if case .failed(let reason) = bob.catchUpState { Issue.record("\(reason)") }
    await bob.close()
  }
}
