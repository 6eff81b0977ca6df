import Skein
import SkeinSimulation
import Synchronization
import Testing

@testable import struct Skein.ClockSkew

@Suite("The server's clock")
struct ServerClockTests {
  /// The server's time at uptime zero.
  private static let origin: Int64 = 1_750_000_000_000

  @Test("Fast answers narrow the estimate, a contradiction resets it, and implausible times are ignored")
  func narrowing() {
    var skew = ClockSkew(stored: .seconds(-5))
    func told(at uptime: Int64) -> Int64 {
      skew.now(uptime: .milliseconds(uptime), wall: Timestamp(milliseconds: Self.origin)).rawValue
        - Self.origin
    }
    #expect(told(at: 0) == -5000)
    // The request takes a second, the answer no time.
    skew.addSample(Timestamp(milliseconds: Self.origin + 2000), between: .seconds(1), and: .seconds(2))
    #expect(told(at: 10_000) == 10_500)
    skew.addSample(
      Timestamp(milliseconds: Self.origin + 20_010), between: .seconds(20), and: .milliseconds(20_020))
    #expect(told(at: 30_000) == 30_005)
    // A slow answer does not narrow the estimate.
    skew.addSample(Timestamp(milliseconds: Self.origin + 40_000), between: .seconds(30), and: .seconds(60))
    #expect(told(at: 70_000) == 70_005)
    // The server's clock was set.
    skew.addSample(
      Timestamp(milliseconds: Self.origin + 90_005), between: .seconds(80), and: .milliseconds(80_010))
    #expect(told(at: 80_000) == 90_000)
    for mad in [Int64.min, -1, 0, 1 << 60, .max] {
      skew.addSample(Timestamp(milliseconds: mad), between: .seconds(81), and: .seconds(82))
    }
    #expect(told(at: 80_000) == 90_000)
  }

  @Test(
    "Messages get the server's time even if the device's clock is wrong or jumps, also after a restart",
    .simulated)
  func composing() async throws {
    let ahead = Mutex(Duration.seconds(3 * 3600))
    @Sendable func serverTime() -> Timestamp {
      Timestamp(milliseconds: 1_700_000_000_000) + stage.world.now
    }
    var runtime = stage.runtime(named: "bob")
    runtime.now = { serverTime() + ahead.withLock { $0 } }
    var backend = AlteredBackend(inner: MemoryBackend(user: "bob", server: stage.server, runtime: runtime))
    backend.onSync = { _, batch in
      var batch = batch
      batch.time = serverTime()
      return batch
    }
    func check(_ bob: ChatClient, _ what: String) async throws {
      let sent = try await bob.send(TextContent(what), to: try await bob.open(.direct("alice")))
      let rows = try await bob.waitingMessages()
      let row = try #require(rows.first { $0.id == sent.id })
      let error = abs(row.time.rawValue - serverTime().rawValue)
      #expect(error < 1500, "\(what): \(error) ms off")
      #expect(abs(bob.now.rawValue - serverTime().rawValue) < 1500, "\(what): \(bob.now)")
      try await sent.cancel()
    }
    backend.onSend = { _ in throw BackendError(.transient, "not now") }
    var bob = try await ChatClient.open(account: "bob", backend: backend, runtime: runtime)
    bob.start()
    _ = await bob.catchUpStates.first { $0 == .caughtUp }
    try await check(bob, "three hours ahead")
    ahead.withLock { $0 = .seconds(-10 * 365 * 86400) }
    try await check(bob, "ten years back")
    await bob.stop()
    ahead.withLock { $0 = .seconds(3 * 3600) }
    await bob.close()

    bob = try await ChatClient.open(account: "bob", backend: backend, runtime: runtime)
    try await check(bob, "offline after a restart")
    await bob.close()
  }

  @Test(
    "Extreme times of the device's clock, and clock differences stored at such times, cause no crash",
    .simulated)
  func nonsense() async throws {
    let wall = Mutex(Int64.min)
    var runtime = stage.runtime(named: "bob")
    runtime.now = { Timestamp(milliseconds: wall.withLock { $0 }) }
    var backend = AlteredBackend(inner: MemoryBackend(user: "bob", server: stage.server, runtime: runtime))
    backend.onSync = { _, batch in
      var batch = batch
      batch.time = Timestamp(milliseconds: Self.origin)
      return batch
    }
    for end in [Int64.min, .max, .min, 0] {
      wall.withLock { $0 = end }
      let bob = try await ChatClient.open(account: "bob", backend: backend, runtime: runtime)
      bob.start()
      _ = await bob.catchUpStates.first { $0 == .caughtUp }
      #expect(abs(bob.now.rawValue - Self.origin) < 60_000, "\(bob.now) with a clock of \(end)")
      await bob.close()
    }
  }
}
