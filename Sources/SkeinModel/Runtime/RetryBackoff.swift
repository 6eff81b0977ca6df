/// Computes the wait before the next attempt. The wait is random; its maximum doubles with every failure (exponential
/// backoff with full jitter). If the server requests a longer wait, that wait is used, up to an hour.
///
/// Full jitter spreads clients that failed together over the whole interval.
package struct RetryBackoff: Sendable, Equatable {
  /// The longest wait after the first failure.
  package let base: Duration
  /// The longest wait, except if the server requests a longer wait.
  package let limit: Duration
  /// The number of failures since the last success.
  package private(set) var failures = 0
  /// The longest wait that a server can request; longer requests are shortened to this wait.
  package static let longestRetryAfter = Duration.seconds(3600)

  package init(base: Duration = .seconds(1), limit: Duration = .seconds(60)) {
    self.base = base
    self.limit = limit
  }

  /// Counts a failure and returns how long to wait.
  package mutating func failed(random: UInt64, retryAfter: Duration? = nil) -> Duration {
    let ceiling = min(base * (1 << min(failures, 16)), limit)
    failures += 1
    let share = Double(random >> 11) / Double(1 << 53)
    return max(ceiling * share, min(retryAfter ?? .zero, Self.longestRetryAfter))
  }

  /// Resets the count of failures.
  package mutating func succeeded() { failures = 0 }
}
