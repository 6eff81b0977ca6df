import Testing

@testable import Skein

@Suite("A lane of the outbox")
struct OutboxLaneTests {
  let first = OperationID(rawValue: 1)
  let second = OperationID(rawValue: 2)

  @Test("Operations go one at a time, in their order")
  func order() {
    var lane = OutboxLane()
    #expect(lane.next(at: .zero) == .rest)
    lane.added(second)
    lane.added(first)
    lane.added(first)
    #expect(lane.next(at: .zero) == .perform(first))
    #expect(lane.next(at: .zero) == .rest)
    lane.ended(first)
    #expect(lane.next(at: .zero) == .perform(second))
    lane.ended(second)
    #expect(lane.isEmpty)
  }

  @Test("A failure for now keeps the place and holds the lane for a while")
  func failure() {
    var lane = OutboxLane()
    lane.added(first)
    lane.added(second)
    #expect(lane.next(at: .seconds(10)) == .perform(first))
    lane.failed(first, at: .seconds(10), retryAfter: .seconds(3), random: 0)
    #expect(lane.next(at: .seconds(10)) == .wait(until: .seconds(13)))
    #expect(lane.next(at: .seconds(13)) == .perform(first))
  }

  @Test("When the connection is back, what waits goes at once")
  func hurry() {
    var lane = OutboxLane()
    lane.added(first)
    _ = lane.next(at: .zero)
    lane.failed(first, at: .zero, retryAfter: .seconds(600), random: 0)
    lane.hurry()
    #expect(lane.next(at: .zero) == .perform(first))
    lane.interrupted(first)
    #expect(lane.next(at: .zero) == .perform(first))
  }

  @Test("A stale report about an operation that is not under way changes nothing")
  func staleReport() {
    var lane = OutboxLane()
    lane.added(first)
    lane.added(second)
    _ = lane.next(at: .zero)
    let before = lane
    lane.failed(second, at: .zero, retryAfter: nil, random: 0)
    #expect(lane == before)
  }
}

@Suite("Waiting before another attempt")
struct RetryBackoffTests {
  @Test("The longest wait doubles up to its limit, and success starts over")
  func growth() {
    var backoff = RetryBackoff(base: .seconds(1), limit: .seconds(10))
    let longest = (0..<6).map { _ in backoff.failed(random: .max) }
    for (wait, limit) in zip(longest, [1, 2, 4, 8, 10, 10]) {
      #expect(wait <= .seconds(limit) && wait > .seconds(limit) * 0.99)
    }
    backoff.succeeded()
    #expect(backoff.failed(random: .max) <= .seconds(1))
  }

  @Test("The wait is spread from nothing to the longest, and never shorter than the server asked for")
  func jitter() {
    var backoff = RetryBackoff()
    #expect(backoff.failed(random: 0) == .zero)
    #expect(backoff.failed(random: 0, retryAfter: .seconds(7)) == .seconds(7))
  }

  @Test("A thousand failures do not overflow")
  func manyFailures() {
    var backoff = RetryBackoff()
    for _ in 0..<1_000 { #expect(backoff.failed(random: .max) <= .seconds(60)) }
  }
}
