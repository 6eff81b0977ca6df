/// Decides how a call continues after the server rejected its session.
///
/// 1. One of the rejected calls renews the session, and the others wait for it.
/// 2. Calls rejected before a renewal are repeated after it.
/// 3. The session is over if the backend has no renewal, a renewal fails with `unauthorized`, the server
///    rejects three renewed sessions in a row, or the server reports its end.
struct SessionGate: Sendable {
  /// The number of successful renewals so far; a call belongs to the generation in which it began.
  typealias Generation = Int

  /// The state that waiting calls observe.
  struct Standing: Sendable, Equatable {
    /// The number of finished renewals, successful or not.
    let attempts: Int
    let isOver: Bool
  }

  enum Answer: Sendable {
    /// Repeat the call: the session was renewed meanwhile.
    case again
    /// The caller must renew the session and report the result.
    case renew
    /// Another call renews the session; `attempt`: the number of renewals finished before.
    case wait(attempt: Int)
    case over(BackendError)
  }

  private let canRenew: Bool
  private(set) var generation: Generation = 0
  /// The number of finished renewals, successful or not.
  private(set) var attempts = 0
  /// The error of the last renewal; nil if that renewal succeeded or was cancelled.
  private(set) var failure: BackendError?
  /// The error that ended the session; nil if the session is not over.
  private(set) var ending: BackendError?
  private var isRenewing = false
  /// The number of successful renewals since the last accepted call.
  private var unproven = 0

  init(canRenew: Bool) { self.canRenew = canRenew }

  var standing: Standing { Standing(attempts: attempts, isOver: ending != nil) }

  /// Called on start: the session is valid until the server rejects it.
  mutating func started() { (ending, unproven) = (nil, 0) }

  /// Records that the server has accepted a call, or opened the push channel. Does nothing if the session was
  /// renewed after the call began.
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
  /// - Parameter error: the error of the renewal; nil if it succeeded. The code `unauthorized` ends the session.
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

  /// Records that the renewing call was cancelled: the next rejected call renews the session.
  mutating func gaveUp() {
    isRenewing = false
    attempts += 1
    failure = nil
  }
}
