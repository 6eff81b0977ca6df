/// Decides when to fetch news.
///
/// 1. Only one fetch runs at a time. Requests during a fetch cause one more fetch afterwards.
/// 2. Nothing is fetched while the gate is closed: before the start, after the client was stopped, and after the
///    session has ended.
/// 3. A failed fetch is retried after a pause. A timer requests fetches at intervals, because a push may be lost.
/// 4. In the background the timer is off. Returning to the foreground requests a fetch.
struct CatchUpGate: Sendable, Equatable {
  /// The next step of the gate.
  enum Step: Sendable, Equatable {
    /// Fetch once and report the result.
    case fetch
    /// Ask again at this uptime.
    case wait(until: Duration)
    /// Do nothing until the next event.
    case rest
  }

  /// The interval of the timer.
  let interval: Duration
  private var isOpen = false
  private var isInBackground = false
  private var isFetching = false
  private var isWanted = false
  private var notBefore: Duration = .zero
  private var timer: Duration = .zero
  private var backoff = RetryBackoff()
  private var standstills = 0

  init(interval: Duration = .seconds(45)) { self.interval = interval }

  /// Allows fetching, and requests a fetch. There is no pause after earlier failures.
  mutating func opened() {
    isOpen = true
    connected()
  }

  /// Forbids fetching until the gate is opened again.
  mutating func closed() { isOpen = false }

  /// Requests a fetch, because the server has news.
  mutating func poked() { isWanted = true }

  /// Restarts the timer, because a push has just delivered news.
  mutating func pushed(at now: Duration) { timer = max(timer, now + interval) }

  /// Sets whether the app is in the background; returning to the foreground requests a fetch.
  mutating func moved(toBackground isInBackground: Bool) {
    if self.isInBackground, !isInBackground { connected() }
    self.isInBackground = isInBackground
  }

  /// Requests a fetch without the pause after a failure. Called when the connection is back, for example.
  mutating func connected() {
    isWanted = true
    notBefore = .zero
    backoff.succeeded()
  }

  /// Returns the next step.
  mutating func next(at now: Duration) -> Step {
    guard isOpen, !isFetching else { return .rest }
    if timer <= now, !isInBackground { isWanted = true }
    guard isWanted else { return isInBackground ? .rest : .wait(until: timer) }
    guard notBefore <= now else { return .wait(until: notBefore) }
    isWanted = false
    isFetching = true
    return .fetch
  }

  /// Records a successful fetch; `hasMore` requests the next fetch at once.
  mutating func fetched(at now: Duration, hasMore: Bool) {
    isFetching = false
    backoff.succeeded()
    timer = now + interval
    if hasMore { isWanted = true }
  }

  /// Counts the answers in a row that made no progress. Returns whether there were at least three.
  ///
  /// - Parameter isStandstill: whether the answer made no progress, but requires another fetch at once.
  mutating func isStuck(after isStandstill: Bool) -> Bool {
    standstills = isStandstill ? standstills + 1 : 0
    return standstills >= 3
  }

  /// Records a failed fetch, which is retried after a pause.
  mutating func failed(at now: Duration, retryAfter: Duration?, random: UInt64) {
    isFetching = false
    isWanted = true
    notBefore = now + backoff.failed(random: random, retryAfter: retryAfter)
  }
}
