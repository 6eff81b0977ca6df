extension OutboxLane {
  /// One operation that waits or is under way; only its lane changes it.
  struct Entry: Sendable, Equatable {
    enum Work: Sendable { case preparing, posting }

    let operation: OperationID
    var message: LocalMessageID?
    var isMedia = false
    /// Whether the message needs no more preparation.
    var isReady = true
    /// Whether it opens the conversation.
    var isBarrier = false
    var dependsOn: LocalMessageID?
    /// The message that the operation acts on; nil for a recall, which need not wait for earlier actions.
    var target: LocalMessageID?
    /// Whether the message it depends on is parked or uncertain, or depends on such a message.
    var isStalled = false
    var patience = Patience()
    /// The number of operations that had succeeded when its last failure was counted.
    var successesAtFailure: Int?
    /// The uptime of its last server failure; nil once the connection was lost.
    var onlineSince: Duration?
    /// The furthest progress of its upload in any attempt, from 0 to 1.
    var furthest = 0.0
    var work: Work?
    /// Whether it has left the outbox while work for it was under way.
    var isGone = false
    var heldUntil: Duration?
    /// Whether the server asked for the wait.
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
    /// Whether the lane continues without it.
    var isPassed: Bool { isParked || isStalled || isGone }
    /// Whether it is media that other operations may pass: it is not prepared yet, or depends on another
    /// message.
    var isOnItsWay: Bool { isMedia && (!isReady || dependsOn != nil) }

    /// Whether work for it may start now.
    func isFree(at now: Duration) -> Bool {
      work == nil && dependsOn == nil && (heldUntil ?? now) <= now
    }
  }
}
