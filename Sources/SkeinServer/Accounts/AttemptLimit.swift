/// How often somebody may try: a burst at once, then one attempt each `interval`.
///
/// 1. An attempt that succeeded is given back, so only failures count against its key.
/// 2. It holds at most `capacity` keys; one whose burst is full again is no longer held.
/// 3. A clock that jumps back lengthens no wait beyond the whole burst's.
struct AttemptLimit<Key: Hashable & Sendable>: Sendable {
  /// Whether an attempt may go on.
  enum Answer: Sendable, Equatable {
    case allowed
    /// Not before this many milliseconds.
    case wait(Int64)
  }

  private let burst: Int64, interval: Int64, capacity: Int
  /// When each key's burst will be full again, in milliseconds.
  private var full: [Key: Int64] = [:]

  /// A limit; `interval` in milliseconds.
  init(_ limit: RateLimit, capacity: Int = 100_000) {
    burst = Int64(min(max(limit.burst, 1), 1_000_000))
    interval = min(max(limit.interval, 1), 86_400_000)
    self.capacity = capacity
  }

  /// Counts an attempt, or says how long to wait.
  mutating func record(_ key: Key, at now: Int64) -> Answer {
    let whole = burst * interval
    let before = min(max(full[key] ?? now, now), now + whole)
    guard before + interval - now <= whole else { return .wait(before + interval - now - whole) }
    if full.count >= capacity { full = full.filter { $0.value > now } }
    // More keys at once than anyone's users make: rather forgive them all than grow or lock everyone out.
    if full.count >= capacity { full = [:] }
    full[key] = before + interval
    return .allowed
  }

  /// Forgets one attempt.
  mutating func refund(_ key: Key) {
    guard let time = full[key] else { return }
    full[key] = time - interval
  }
}
