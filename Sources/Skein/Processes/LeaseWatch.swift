/// Decides when a process that waits for the lease may take it.
///
/// 1. A lease whose lock is free is taken at once: its holder has let it go, or is dead.
/// 2. A holder that does not answer a question for as long as ``patience`` has lost it, though it may live.
/// 3. Only what this process has watched counts, by its own uptime: no clock of another's, and no time that it slept
///    through itself.
struct LeaseWatch: Sendable, Equatable {
  /// What is to be done.
  enum Step: Sendable, Equatable {
    /// Take the lease, if it is still as it was looked at.
    case take
    /// Ask the holder whether it works.
    case ask
    /// Look again after a while.
    case wait
  }

  /// How long a question may stand without an answer.
  static let patience = Duration.seconds(10)
  /// How long after an answer the next question follows.
  static let pause = Duration.seconds(5)
  /// The most that may count of the time between two looks; they are meant to be much nearer.
  static let longestStep = Duration.seconds(1)

  private var seen: LeaseRow?
  private var lastLook: Duration?
  /// For how long the row has stood as it was seen.
  private var watched = Duration.zero

  /// Looks at the lease.
  ///
  /// - Parameter isFree: whether this process could get the holder's lock.
  mutating func look(at row: LeaseRow, isFree: Bool, now: Duration) -> Step {
    if isFree { return .take }
    let passed = min(now - (lastLook ?? now), Self.longestStep)
    lastLook = now
    let isFirst = seen == nil
    if row == seen { watched += passed } else { (seen, watched) = (row, .zero) }
    if row.question != row.answer { return watched >= Self.patience ? .take : .wait }
    // The first question also tells the holder that somebody is here.
    return isFirst || watched >= Self.pause ? .ask : .wait
  }
}
