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

  @Test("Keys beyond the capacity are not refused")
  func capacity() {
    var limit = AttemptLimit<Int>(RateLimit(burst: 1, interval: 100), capacity: 10)
    for key in 0..<100 { #expect(limit.record(key, at: 1000) == .allowed) }
  }
}
