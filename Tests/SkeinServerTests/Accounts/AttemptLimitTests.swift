import SkeinWire
import Testing

@testable import SkeinServer

struct AttemptLimitTests {
  @Test("A burst is allowed, then one attempt per interval")
  func burst() {
    var limit = AttemptLimit<String>(RateLimit(burst: 3, interval: 100))
    for _ in 0..<3 { #expect(limit.record("ann", at: 1000) == .allowed) }
    #expect(limit.record("ann", at: 1000) == .wait(100))
    #expect(limit.record("ann", at: 1060) == .wait(40))
    #expect(limit.record("bo", at: 1060) == .allowed)
    #expect(limit.record("ann", at: 1100) == .allowed)
    #expect(limit.record("ann", at: 1100) == .wait(100))
  }

  @Test("A refunded attempt does not count")
  func refund() {
    var limit = AttemptLimit<String>(RateLimit(burst: 1, interval: 100))
    for _ in 0..<5 {
      #expect(limit.record("ann", at: 1000) == .allowed)
      limit.refund("ann")
    }
    limit.refund("nobody")
  }

  @Test("If the clock jumps back, a user who has attempts left waits for at most one interval")
  func jump() {
    var limit = AttemptLimit<String>(RateLimit(burst: 2, interval: 100))
    #expect(limit.record("ann", at: 1_000_000) == .allowed)
    #expect(limit.record("ann", at: 0) == .wait(100))
    #expect(limit.record("ann", at: 1_000_000) == .allowed)
  }

  @Test("A sign-in whose password is right or can't be checked does not count")
  func unchecked() async throws {
    var limits = ServerLimits()
    limits.signIns = RateLimit(burst: 1, interval: 100)
    limits.address = limits.signIns
    let attempts = SignInAttempts(limits)
    func check(_ matches: () throws -> Bool) async throws -> Bool {
      try await attempts.check("ann", from: "::1", at: 1000, matches)
    }
    for _ in 0..<3 {
      await #expect(throws: CancellationError.self) { try await check { throw CancellationError() } }
      #expect(try await check { true })
    }
    #expect(try await !check { false })
    let refusal = await #expect(throws: Refusal.self) { try await check { true } }
    #expect(refusal?.status == 429)
  }

  @Test("Keys beyond the capacity are not refused")
  func capacity() {
    var limit = AttemptLimit<Int>(RateLimit(burst: 1, interval: 100), capacity: 10)
    for key in 0..<100 { #expect(limit.record(key, at: 1000) == .allowed) }
  }
}
