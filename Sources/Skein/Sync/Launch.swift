import Synchronization

/// The state of a start, shared by ``CatchUp`` and ``ContactSync``.
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

  /// Shows the changes withheld so far, because a fetch has failed and will be retried. Later changes of the
  /// same start are withheld again. Does nothing if the start has ended.
  func release(to feed: ChangeFeed) {
    if isLocked { feed.publish(.release) }
  }

  /// Called after a change was stored. Shows the change if it was withheld and the start has ended meanwhile.
  func wrote(_ isWithheld: Bool, _ feed: ChangeFeed) {
    if isWithheld, !isLocked { feed.publish(.release) }
  }
}
