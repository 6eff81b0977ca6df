import SkeinWire
import Synchronization

/// Rate limits of sign-ins.
///
/// One limit applies to a user from one address, so that nobody can lock out another user. One applies to an address,
/// so that nobody can try one password on many users.
final class SignInAttempts: Sendable {
  private struct Pair: Hashable {
    let user: Wire.UserID, address: String
  }
  private struct Limits {
    var pair: AttemptLimit<Pair>, address: AttemptLimit<String>
  }

  private let limits: Mutex<Limits>

  /// Starts without attempts.
  init(_ limits: ServerLimits) {
    self.limits = Mutex(Limits(pair: AttemptLimit(limits.signIns), address: AttemptLimit(limits.address)))
  }

  /// Counts an attempt from an address, and for the user if one is given; throws a 429 after too many
  /// attempts.
  func record(_ user: Wire.UserID?, from address: String, at now: Int64) throws {
    try limits.withLock { limits in
      if case .wait(let time) = limits.address.record(address, at: now) {
        throw Refusal.rateLimited(milliseconds: time)
      }
      guard let user, user.isValid else { return }
      if case .wait(let time) = limits.pair.record(Pair(user: user, address: address), at: now) {
        throw Refusal.rateLimited(milliseconds: time)
      }
    }
  }

  /// Takes back a successful attempt.
  func refund(_ user: Wire.UserID, from address: String) {
    limits.withLock { limits in
      limits.address.refund(address)
      limits.pair.refund(Pair(user: user, address: address))
    }
  }
}
