import Synchronization

/// The state of a start, shared by the catch-up and the contact diff.
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

  /// Shows the changes withheld so far, because the catch-up has failed and is retried. Later changes are withheld
  /// again.
  func release(to feed: ChangeFeed) {
    if isLocked { feed.publish(.release) }
  }

  /// Called after a change was stored: shows a withheld change if the start is over by now.
  func wrote(_ isWithheld: Bool, _ feed: ChangeFeed) {
    if isWithheld, !isLocked { feed.publish(.release) }
  }
}
