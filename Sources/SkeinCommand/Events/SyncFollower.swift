import Skein

/// Whether the client is up to date with the server.
enum SyncStanding: Sendable, Hashable {
  case caughtUp
  case failed(reason: String)
}

/// Follows the state of catching up and leaves out repetitions, such as a second failure for the same reason.
struct SyncFollower: Sendable {
  private var standing: SyncStanding?

  /// Applies the next state. Returns the new standing, or nil if the standing has not changed.
  mutating func apply(_ state: CatchUpState) -> SyncStanding? {
    let next: SyncStanding
    switch state {
    case .waiting, .fetching: return nil
    case .caughtUp: next = .caughtUp
    case .failed(let reason): next = .failed(reason: reason.message)
    }
    guard next != standing else { return nil }
    standing = next
    return next
  }
}
