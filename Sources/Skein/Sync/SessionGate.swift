/// Decides what becomes of a call that the server refused because the session is no good any more.
///
/// 1. Of all calls that are refused, one renews the session, and the others wait for it.
/// 2. What was refused before a renewal is made again after it.
/// 3. A session that was renewed three times and never good since is over, and so is one that can't be renewed.
struct SessionGate: Sendable {
  /// One renewal after another; a call belongs to those that were through when it began.
  typealias Generation = Int

  /// What whoever waits is to hear of.
  struct Standing: Sendable, Equatable {
    /// How many renewals have come to an end, of whatever kind.
    let attempts: Int
    let isOver: Bool
  }

  enum Answer: Sendable {
    /// It was renewed meanwhile.
    case again
    /// The caller is to renew it, and to say how that went.
    case renew
    /// Somebody does, for the so manieth time.
    case wait(attempt: Int)
    case over(BackendError)
  }

  private let canRenew: Bool
  private(set) var generation: Generation = 0
  /// How many renewals have come to an end, of whatever kind.
  private(set) var attempts = 0
  /// How the last one failed; nil where it did not.
  private(set) var failure: BackendError?
  /// Why the session is over.
  private(set) var ending: BackendError?
  private var isRenewing = false
  /// How many renewals no accepted call has shown to be good.
  private var unproven = 0

  init(canRenew: Bool) { self.canRenew = canRenew }

  var standing: Standing { Standing(attempts: attempts, isOver: ending != nil) }

  /// A start: the session is good until the server says otherwise.
  mutating func started() { (ending, unproven) = (nil, 0) }

  /// The server has accepted a call, or opened the push channel.
  mutating func accepted(in generation: Generation) {
    if generation == self.generation { unproven = 0 }
  }

  /// The server has refused a call.
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

  /// A renewal has ended.
  ///
  /// - Parameter error: why it failed.
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

  /// The session is over.
  mutating func end(_ error: BackendError) { ending = ending ?? error }

  /// Whoever was to renew it was stopped: the next one is.
  mutating func gaveUp() {
    isRenewing = false
    attempts += 1
    failure = nil
  }
}
