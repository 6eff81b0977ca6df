/// A rate limit for each key: a burst of attempts at once, then one attempt in each `interval`.
///
/// 1. The caller can refund a successful attempt, so that only failures count.
/// 2. At most `capacity` keys are stored. When this number is reached, the next allowed attempt first removes
///    the keys that may use their whole burst again. If this removes no key, the attempt removes all keys.
/// 3. After the clock has jumped back, the next attempt with a key waits for at most one `interval`.
struct AttemptLimit<Key: Hashable & Sendable>: Sendable {
  /// Whether an attempt is allowed.
  enum Answer: Sendable, Equatable {
    case allowed
    /// Refused for this many milliseconds.
    case wait(Int64)
  }

  private let burst: Int64, interval: Int64, capacity: Int
  /// The time, in milliseconds, at which each key may use its whole burst again.
  private var full: [Key: Int64] = [:]

  /// Starts without attempts.
  init(_ limit: RateLimit, capacity: Int = 100_000) {
    burst = Int64(min(max(limit.burst, 1), 1_000_000))
    interval = min(max(limit.interval, 1), 86_400_000)
    self.capacity = capacity
  }

  /// Counts an attempt if it is allowed.
  mutating func record(_ key: Key, at now: Int64) -> Answer {
    let whole = burst * interval
    let before = min(max(full[key] ?? now, now), now + whole)
    guard before + interval - now <= whole else { return .wait(before + interval - now - whole) }
    if full.count >= capacity { full = full.filter { $0.value > now } }
    // Real users never cause this many keys. Without the removal, the memory would grow, or every new key
    // would have to be refused.
    if full.count >= capacity { full = [:] }
    full[key] = before + interval
    return .allowed
  }

  /// Takes back one attempt.
  mutating func refund(_ key: Key) {
    guard let time = full[key] else { return }
    full[key] = time - interval
  }
}
