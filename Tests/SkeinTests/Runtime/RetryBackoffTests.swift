import Testing

@testable import Skein

@Suite("Retry delays")
struct RetryBackoffTests {
  @Test("The maximum delay doubles with each failure up to a limit, and a success resets the delay")
  func growth() {
    var backoff = RetryBackoff(base: .seconds(1), limit: .seconds(10))
    let longest = (0..<6).map { _ in backoff.failed(random: .max) }
    for (wait, limit) in zip(longest, [1, 2, 4, 8, 10, 10]) {
      #expect(wait <= .seconds(limit) && wait > .seconds(limit) * 0.99)
    }
    backoff.succeeded()
    #expect(backoff.failed(random: .max) <= .seconds(1))
  }

  @Test("A random delay is extended to the delay that the server requests, but to no more than an hour")
  func jitter() {
    var backoff = RetryBackoff()
    #expect(backoff.failed(random: 0) == .zero)
    #expect(backoff.failed(random: 0, retryAfter: .seconds(7)) == .seconds(7))
    #expect(backoff.failed(random: 0, retryAfter: .seconds(1_000_000)) == .seconds(3600))
  }

  @Test("The delay does not overflow after a thousand failures")
  func manyFailures() {
    var backoff = RetryBackoff()
    for _ in 0..<1_000 { #expect(backoff.failed(random: .max) <= .seconds(60)) }
  }
}
