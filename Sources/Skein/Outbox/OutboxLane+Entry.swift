extension OutboxLane {
  /// One operation that waits or is under way; only its lane changes it.
  struct Entry: Sendable, Equatable {
    enum Work: Sendable { case preparing, posting }

    /// How the message was posted in all attempts so far.
    enum Posts: Sendable, Equatable {
      /// The message was not posted yet.
      case none
      /// In every attempt, the message was posted directly behind the message of the given operation. The
      /// server can therefore have this message only if it also has the message of the given operation.
      case behind(OperationID)
      /// The message was posted alone, as the first of several, behind different messages, or by an earlier
      /// run. The server may have this message without having the message that is before it in the lane now.
      case alone
    }

    let operation: OperationID
    var message: LocalMessageID?
    var isMedia = false
    /// Whether the message needs no more preparation.
    var isReady = true
    /// Whether no other operation of the conversation is posted before this one has left the lane.
    var isBarrier = false
    /// Whether the operation is never carried out: it holds the others until it leaves the lane.
    var isHold = false
    var posts = Posts.none
    var dependsOn: LocalMessageID?
    /// The message that the operation acts on. Nil for an operation that is no action, and for a recall: a
    /// recall need not wait for earlier actions.
    var target: LocalMessageID?
    /// Whether the message in `dependsOn` is parked or uncertain, or depends on such a message.
    var isStalled = false
    var patience = Patience()
    /// The outbox's number of successes at the time of this operation's last counted failure.
    var successesAtFailure: Int?
    /// The uptime of the operation's last server failure. Nil before the first failure, and after the
    /// connection was lost.
    var onlineSince: Duration?
    /// The furthest progress of the upload in any attempt, from 0 to 1.
    var furthest = 0.0
    var work: Work?
    /// Whether the operation has left the outbox while work for it was under way.
    var isGone = false
    var heldUntil: Duration?
    /// Whether the wait until `heldUntil` was requested, by the server or after a renewal of the session.
    var isHeldByServer = false
    var backoff = RetryBackoff()

    init(
      _ operation: OperationID, message: LocalMessageID? = nil, isMedia: Bool = false, isReady: Bool = true,
      isBarrier: Bool = false, isHold: Bool = false, dependsOn: LocalMessageID? = nil,
      target: LocalMessageID? = nil,
      patience: Patience = Patience(), posts: Posts = .none
    ) {
      self.operation = operation
      self.message = message
      self.isMedia = isMedia
      self.isReady = isReady
      self.isBarrier = isBarrier
      self.isHold = isHold
      self.dependsOn = dependsOn
      self.target = target
      self.patience = patience
      self.posts = posts
    }

    var isParked: Bool { patience.isParked }
    /// Whether the lane continues without the operation.
    var isPassed: Bool { isParked || isStalled || isGone }
    /// Whether operations without attachments may pass this operation under ``LanePolicy/mediaLane``. This
    /// requires that the message has attachments, and that it is not prepared yet or depends on another
    /// message.
    var isOnItsWay: Bool { isMedia && (!isReady || dependsOn != nil) }

    /// Marks the message as being posted directly behind the message of the given operation.
    ///
    /// - Returns: whether the server can have this message only if it also has the message of the given
    ///   operation.
    mutating func follow(_ operation: OperationID) -> Bool {
      work = .posting
      let isChained = posts == .none || posts == .behind(operation)
      posts = isChained ? .behind(operation) : .alone
      return isChained
    }

    /// The message in `dependsOn` is sent.
    mutating func nothingToWaitFor() {
      dependsOn = nil
      isStalled = false
    }

    /// Whether the entry itself allows work to start now. Other entries may still block the work.
    func isFree(at now: Duration) -> Bool {
      work == nil && !isHold && dependsOn == nil && (heldUntil ?? now) <= now
    }
  }
}
