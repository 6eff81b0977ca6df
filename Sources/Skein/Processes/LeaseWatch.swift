/// Decides when a process that waits for the lease may acquire it.
///
/// 1. A lease whose lock is free is acquired at once: its holder has released it, or is dead.
/// 2. A holder that leaves a question unanswered for ``patience`` has lost the lease, even if its process
///    still runs.
/// 3. Only time during which this process watched counts, by its own uptime: neither another process's clock
///    nor time during which this process slept counts.
struct LeaseWatch: Sendable, Equatable {
  /// The next step.
  enum Step: Sendable, Equatable {
    /// Acquire the lease, if its row has not changed since.
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
  /// The maximum counted time between two checks, which should be much closer together.
  static let longestStep = Duration.seconds(1)

  private var seen: LeaseRow?
  private var lastLook: Duration?
  /// How long the row has not changed.
  private var watched = Duration.zero

  /// Checks the lease.
  ///
  /// - Parameter isFree: whether this process could acquire the holder's lock.
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
