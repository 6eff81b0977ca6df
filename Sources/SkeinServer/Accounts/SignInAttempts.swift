import SkeinWire
import Synchronization

/// Rate limits of sign-ins and new accounts.
///
/// The limit for a user and an address blocks the user at this address only, so failed sign-ins at one address do
/// not lock the user out elsewhere. The limit for an address prevents a client from trying one password on many
/// users.
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

  /// Counts an attempt for the address and, if a valid user id is given, for the user at this address. Throws
  /// a 429 after too many attempts.
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

  /// Checks the password of a sign-in; throws a 429 after too many attempts. Only wrong passwords count. Right passwords
  /// don't, and neither do those that could not be checked because the server was busy.
  func check(
    _ user: Wire.UserID, from address: String, at now: Int64, _ matches: () async throws -> Bool
  ) async throws -> Bool {
    try record(user, from: address, at: now)
    do {
      let isRight = try await matches()
      if isRight { refund(user, from: address) }
      return isRight
    } catch {
      refund(user, from: address)
      throw error
    }
  }

  private func refund(_ user: Wire.UserID, from address: String) {
    limits.withLock { limits in
      limits.address.refund(address)
      limits.pair.refund(Pair(user: user, address: address))
    }
  }
}
