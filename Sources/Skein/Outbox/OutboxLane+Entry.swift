extension OutboxLane {
  /// One operation that waits or is under way; only its lane changes it.
  struct Entry: Sendable, Equatable {
    enum Work: Sendable { case preparing, posting }

    let operation: OperationID
    var message: LocalMessageID?
    var isMedia = false
    /// Whether nothing of the message is left to prepare.
    var isReady = true
    /// Whether it opens the conversation.
    var isBarrier = false
    var dependsOn: LocalMessageID?
    /// The message that it revises; nil for a recall, which nothing before it can undo.
    var target: LocalMessageID?
    /// Whether what it depends on is parked, or waits for what is parked.
    var isStalled = false
    var patience = Patience()
    /// How many operations had succeeded when it last failed, and when that was, with a connection ever since.
    var successesAtFailure: Int?
    var onlineSince: Duration?
    /// How far its upload has come in any attempt, from 0 to 1.
    var furthest = 0.0
    var work: Work?
    /// Whether it has left the outbox while something was under way for it.
    var isGone = false
    var heldUntil: Duration?
    /// Whether it was the server that asked for the wait.
    var isHeldByServer = false
    var backoff = RetryBackoff()

    init(
      _ operation: OperationID, message: LocalMessageID? = nil, isMedia: Bool = false, isReady: Bool = true,
      isBarrier: Bool = false, dependsOn: LocalMessageID? = nil, target: LocalMessageID? = nil,
      patience: Patience = Patience()
    ) {
      self.operation = operation
      self.message = message
      self.isMedia = isMedia
      self.isReady = isReady
      self.isBarrier = isBarrier
      self.dependsOn = dependsOn
      self.target = target
      self.patience = patience
    }

    var isParked: Bool { patience.isParked }
    /// Whether the lane goes on without it.
    var isPassed: Bool { isParked || isStalled || isGone }
    /// Media that others may pass: not prepared yet, or not yet allowed to be.
    var isOnItsWay: Bool { isMedia && (!isReady || dependsOn != nil) }

    /// Whether something may be done for it now.
    func isFree(at now: Duration) -> Bool {
      work == nil && dependsOn == nil && (heldUntil ?? now) <= now
    }
  }
}
