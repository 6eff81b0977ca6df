import Synchronization

/// What catching up and the contact diff know of the start that they are part of.
final class Launch: Sendable {
  private let gate = Mutex(LaunchGate())
  /// Wakes the catch-up.
  let doorbell: Doorbell

  init(doorbell: Doorbell) { self.doorbell = doorbell }

  var isLocked: Bool { gate.withLock { $0.isLocked } }

  func started(at now: Duration, waitsForContacts: Bool) {
    gate.withLock { $0.started(at: now, waitsForContacts: waitsForContacts) }
  }

  func contactsCame() {
    gate.withLock { $0.contactsCame() }
    doorbell.ring()
  }

  func mustWait(at now: Duration) -> Duration? { gate.withLock { $0.mustWait(at: now) } }

  func ended(_ feed: ChangeFeed) {
    if gate.withLock({ $0.ended() }) { feed.publish(.release) }
  }

  /// The catch-up is held up for who knows how long: what has come is shown, and what follows is withheld again.
  func release(to feed: ChangeFeed) {
    if isLocked { feed.publish(.release) }
  }

  /// Something was stored; the start that it was withheld for may be over by now.
  func wrote(_ isWithheld: Bool, _ feed: ChangeFeed) {
    if isWithheld, !isLocked { feed.publish(.release) }
  }
}
