/// Decides how a call continues after the server rejected the session.
///
/// 1. One of the rejected calls renews the session, and the other rejected calls wait for the renewal.
/// 2. A rejected call that began before a renewal is repeated after the renewal.
/// 3. The session is over in four cases:
///    - The server rejects the session, and the backend has no renewal.
///    - A renewal fails with `unauthorized`.
///    - The server rejects three renewed sessions in a row.
///    - The server reports the end of the session.
struct SessionGate: Sendable {
  /// The number of successful renewals so far; a call belongs to the generation in which it began.
  typealias Generation = Int

  /// The state that waiting calls observe.
  struct Standing: Sendable, Equatable {
    /// The number of ended renewals: successful, failed or cancelled.
    let attempts: Int
    let isOver: Bool
  }

  enum Answer: Sendable {
    /// Repeat the call: the session was renewed meanwhile.
    case again
    /// The caller must renew the session and report the result.
    case renew
    /// Another call is renewing the session. `attempt` is the number of renewals that have ended so far.
    case wait(attempt: Int)
    case over(BackendError)
  }

  private let canRenew: Bool
  private(set) var generation: Generation = 0
  /// The number of ended renewals: successful, failed or cancelled.
  private(set) var attempts = 0
  /// The error of the last renewal; nil if the last renewal succeeded or was cancelled, or if there was none.
  private(set) var failure: BackendError?
  /// The error that ended the session; nil if the session is not over.
  private(set) var ending: BackendError?
  private var isRenewing = false
  /// The number of successful renewals since the server last accepted the session.
  private var unproven = 0

  init(canRenew: Bool) { self.canRenew = canRenew }

  var standing: Standing { Standing(attempts: attempts, isOver: ending != nil) }

  /// Called on start: the session is valid until the server rejects it.
  mutating func started() { (ending, unproven) = (nil, 0) }

  /// Records that the server has accepted the session: the push channel has opened, or a call has succeeded
  /// or was refused for another reason. Does nothing if the session was renewed after the call began.
  mutating func accepted(in generation: Generation) {
    if generation == self.generation { unproven = 0 }
  }

  /// Decides how a rejected call continues.
  mutating func refused(in generation: Generation, _ error: BackendError) -> Answer {
    if let ending { return .over(ending) }
    if generation < self.generation { return .again }
    if isRenewing { return .wait(attempt: attempts) }
    guard canRenew, unproven < 3 else {
      ending = error
      return .over(error)
    }
    isRenewing = true
    return .renew
  }

  /// Records the result of a renewal.
  ///
  /// - Parameter error: the error of the renewal; nil if the renewal succeeded. An error with the code
  ///   `unauthorized` ends the session.
  mutating func renewed(_ error: BackendError?) {
    isRenewing = false
    attempts += 1
    failure = error
    if let error {
      if error.code == .unauthorized { end(error) }
    } else {
      generation += 1
      unproven += 1
    }
  }

  /// Ends the session; only the first error is kept.
  mutating func end(_ error: BackendError) { ending = ending ?? error }

  /// Records that the renewing call was cancelled. The next rejected call then renews the session.
  mutating func gaveUp() {
    isRenewing = false
    attempts += 1
    failure = nil
  }
}
