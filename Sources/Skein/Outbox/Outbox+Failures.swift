import SkeinStorage

extension Outbox {
  /// Handles a failed attempt or preparation.
  ///
  /// - Parameter isSuspect: false if another operation is the more likely cause of a failure without an answer.
  func failed(_ operation: OperationID, _ error: any Error, isSuspect: Bool = true) async {
    let now = runtime.uptime()
    let canSettle = mayRepeat(operation) || backend.capabilities.echoesMessageID != .never
    let cause = (error as? InconclusiveFailure)?.cause ?? error
    reasons[operation] = FailureReason(of: cause)
    let isSuspect = isSuspect || !BackendError(from: cause).outcomeIsUnknown
    do {
      switch SendOutcome(of: error, canSettle: canSettle) {
      case .waitForConnection(let isUnknown, let blames):
        // Lanes that fail at the same time count as one failure of the connection.
        if (heldUntil ?? .zero) <= now { heldUntil = now + connection.failed(random: runtime.random()) }
        // Two kinds of failure count towards parking. If the connection breaks repeatedly at one message
        // while other messages get through, the message may be the cause. If an upload makes no progress,
        // the connection to the media server may be the cause.
        let isPreparing = lanes.isPreparing(operation)
        let patience =
          blames && isSuspect || isPreparing
          ? lanes.change(of: operation) {
            $0.count(failureOf: operation, at: now, blames: true, successes: successes)
          } : nil
        lanes.changeAll { $0.disconnected() }
        try await storeBeforePause {
          try Attempts($0).postpone(operation, outcomeIsUnknown: isUnknown, patience: patience)
        }
        lanes.change(of: operation) { $0.interrupted(operation, at: now) }
      case .stepBack(let isUnknown):
        try await store.write(.kill) {
          try Attempts($0).postpone(operation, outcomeIsUnknown: isUnknown)
        }
        lanes.change(of: operation) { $0.interrupted(operation, at: now) }
      case .tryAgain(let after, let isUnknown, let blames):
        let patience = lanes.change(of: operation) {
          $0.count(
            failureOf: operation, at: now, blames: blames && isSuspect,
            successes: successes)
        }
        if let patience, patience.waited >= giveUpAfter {
          return try await end(operation) { try Attempts($0).expire(operation, outcomeIsUnknown: isUnknown) }
        }
        try await store.write(.kill) {
          try Attempts($0).postpone(operation, outcomeIsUnknown: isUnknown, patience: patience)
        }
        lanes.change(of: operation) {
          $0.failed(operation, at: now, retryAfter: after, random: runtime.random())
        }
      case .adopt(let stored):
        try await end(operation) { work in
          guard let message = try work.rows.find(OperationRow.self, operation)?.message else { return }
          try Attempts(work).adopt(message, stored)
        }
      case .giveUp(let status, let failure):
        try await end(operation) { try OperationEnds($0).giveUp(operation, as: status, failure) }
      }
    } catch {
      // The result can't be stored, or is of another epoch. The operation is retried after a pause.
      lanes.change(of: operation) { $0.failed(operation, at: now, retryAfter: nil, random: runtime.random()) }
    }
  }

  /// Stores the end of an operation. Removes the copied files of its message if the message is then sent or
  /// gone.
  private func end(_ operation: OperationID, _ body: @Sendable (UnitOfWork) throws -> Void) async throws {
    let needless = try await store.write(.powerCut) { work -> MessageID? in
      let row = try work.rows.find(OperationRow.self, operation)
      let message = try row?.message.flatMap { try work.rows.find(MessageRow.self, $0) }
      try body(work)
      guard let message, row?.isMedia == true else { return nil }
      let left = try work.rows.find(MessageRow.self, message.id)
      return left?.status ?? .sent == .sent ? message.messageID : nil
    }
    if let needless { await preparation.discardCopies(of: needless) }
    lanes.change(of: operation) { $0.ended(operation) }
  }
}
