import Synchronization

/// How much a plugin may still send by itself: what a person does with one of its cards allows for more.
final class SendAllowance: Sendable {
  static let most = 20
  private let left = Mutex(SendAllowance.most)

  /// Whether one more message may go.
  func consume() -> Bool {
    left.withLock { left in
      guard left > 0 else { return false }
      left -= 1
      return true
    }
  }

  /// A person has done something.
  func renew() { left.withLock { $0 = Self.most } }
}
