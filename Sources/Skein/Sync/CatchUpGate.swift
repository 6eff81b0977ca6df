/// Decides when to fetch what is new.
///
/// 1. One fetch at a time; whatever calls for one meanwhile makes one more follow.
/// 2. Nothing is fetched while the gate is closed: signed out, or not started.
/// 3. A failed fetch is tried again after a while; a timer fetches now and then in case a push got lost.
/// 4. In the background the timer rests; coming back from there fetches.
struct CatchUpGate: Sendable, Equatable {
  /// What the gate wants done.
  enum Step: Sendable, Equatable {
    /// Fetch once and report how it ended.
    case fetch
    /// Ask again at this uptime.
    case wait(until: Duration)
    /// Nothing, until something happens.
    case rest
  }

  /// How often the timer calls for a fetch.
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

  /// Fetching is allowed from now on, and starts with one, whatever failed before.
  mutating func opened() {
    isOpen = true
    connected()
  }

  /// Nothing is fetched until it opens again.
  mutating func closed() { isOpen = false }

  /// Something is new.
  mutating func poked() { isWanted = true }

  /// A push brought what is new: the timer, which makes up for lost ones, begins again.
  mutating func pushed(at now: Duration) { timer = max(timer, now + interval) }

  /// The app is in the background now, or in the foreground; told again and again, only a change counts.
  mutating func moved(toBackground isInBackground: Bool) {
    if self.isInBackground, !isInBackground { connected() }
    self.isInBackground = isInBackground
  }

  /// The connection is back, or somebody looks: what failed may work now.
  mutating func connected() {
    isWanted = true
    notBefore = .zero
    backoff.succeeded()
  }

  /// Asks what to do now.
  mutating func next(at now: Duration) -> Step {
    guard isOpen, !isFetching else { return .rest }
    if timer <= now, !isInBackground { isWanted = true }
    guard isWanted else { return isInBackground ? .rest : .wait(until: timer) }
    guard notBefore <= now else { return .wait(until: notBefore) }
    isWanted = false
    isFetching = true
    return .fetch
  }

  /// The fetch worked; `hasMore` asks for the next one at once.
  mutating func fetched(at now: Duration, hasMore: Bool) {
    isFetching = false
    backoff.succeeded()
    timer = now + interval
    if hasMore { isWanted = true }
  }

  /// An answer came: whether it is one too many in a row that leads nowhere and asks for another fetch at once.
  mutating func isStuck(after isStandstill: Bool) -> Bool {
    standstills = isStandstill ? standstills + 1 : 0
    return standstills >= 3
  }

  /// The fetch failed.
  mutating func failed(at now: Duration, retryAfter: Duration?, random: UInt64) {
    isFetching = false
    isWanted = true
    notBefore = now + backoff.failed(random: random, retryAfter: retryAfter)
  }
}
