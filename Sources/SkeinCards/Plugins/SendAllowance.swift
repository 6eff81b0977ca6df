import Synchronization

/// Limits the messages that a plugin sends without an action of the user.
final class SendAllowance: Sendable {
  static let most = 20
  private let left = Mutex(SendAllowance.most)

  /// Uses one message of the allowance; returns false if none is left.
  func consume() -> Bool {
    left.withLock { left in
      guard left > 0 else { return false }
      left -= 1
      return true
    }
  }

  /// Restores the full allowance.
  func renew() { left.withLock { $0 = Self.most } }
}
