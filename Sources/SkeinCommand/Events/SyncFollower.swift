import Skein

/// Whether the client has what the server has.
enum SyncStanding: Sendable, Hashable {
  case caughtUp
  case failed(reason: String)
}

/// Follows how catching up goes, and says what is new in it: a retry that fails as the one before did is not.
struct SyncFollower: Sendable {
  private var standing: SyncStanding?

  /// Takes the next state; nil if there is nothing to tell.
  mutating func apply(_ state: CatchUpState) -> SyncStanding? {
    let next: SyncStanding
    switch state {
    case .waiting, .fetching: return nil
    case .caughtUp: next = .caughtUp
    case .failed(let reason): next = .failed(reason: reason)
    }
    guard next != standing else { return nil }
    standing = next
    return next
  }
}
