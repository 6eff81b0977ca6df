/// Decides when a process that waits for the lease may acquire it.
///
/// 1. If the file lock is free, the lease is acquired at once: the holder has released the lease, or the
///    holder's process has ended.
/// 2. A holder that leaves a question unanswered for ``patience`` loses the lease, even if its process still runs.
/// 3. The time is measured by the uptime of this process, never by another process's clock. The time between two checks
///    counts for at most ``longestStep``, so that a sleep of this process hardly counts.
struct LeaseWatch: Sendable, Equatable {
  /// The next step.
  enum Step: Sendable, Equatable {
    /// Acquire the lease, if its row has not changed meanwhile.
    case take
    /// Ask the holder whether it still works.
    case ask
    /// Check again after a while.
    case wait
  }

  /// How long a question may go unanswered.
  static let patience = Duration.seconds(10)
  /// The pause between an answer and the next question.
  static let pause = Duration.seconds(5)
  /// The longest time that counts between two checks. The checks should be much closer together.
  static let longestStep = Duration.seconds(1)

  private var seen: LeaseRow?
  private var lastLook: Duration?
  /// The counted time since this process last saw a change of the row.
  private var watched = Duration.zero

  /// Checks the lease, and returns the next step.
  ///
  /// - Parameter isFree: whether this process holds the file lock.
  mutating func look(at row: LeaseRow, isFree: Bool, now: Duration) -> Step {
    if isFree { return .take }
    let passed = min(now - (lastLook ?? now), Self.longestStep)
    lastLook = now
    let isFirst = seen == nil
    if row == seen { watched += passed } else { (seen, watched) = (row, .zero) }
    if row.question != row.answer { return watched >= Self.patience ? .take : .wait }
    // The first question also informs the holder that another process waits.
    return isFirst || watched >= Self.pause ? .ask : .wait
  }
}
