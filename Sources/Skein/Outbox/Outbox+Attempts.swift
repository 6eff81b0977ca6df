#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinStorage

/// One step of one operation, from the database to the server and back.
extension Outbox {
  /// Prepares the operation's message; each step is stored before the next begins.
  func prepare(_ operation: OperationID) async throws {
    let begun = try await store.write(.kill) { try PreparationSteps($0).start(operation) }
    guard let (message, row) = begun else { return }
    fractions[operation] = nil
    try await InconclusiveFailure.marking(mayHaveArrived: row.mayHaveArrived) {
      var isNews = false
      if row.isMedia {
        isNews = try await preparation.uploadAttachments(of: message, by: operation) { fraction in
          self.runtime.spawn { await self.uploadProgressed(operation, fraction) }
        }
      }
      uploaded(operation, isNews: isNews)
      try await preparation.askParticipants(about: message.id, by: operation)
    }
  }

  /// An operation to perform.
  struct Step {
    let operation: OperationID
    /// The attempt that is stored as started; nil if the start is not stored yet.
    var attempt: Attempt?
  }

  /// Performs an operation.
  ///
  /// - Returns: the next message, if the transaction of this message's receipt has started it; nil otherwise.
  func perform(_ step: Step) async throws -> Step? {
    let operation = step.operation
    let now = runtime.uptime()
    let attempt = if let started = step.attempt { started } else { try await start(operation) }
    switch attempt {
    case .open(let before): try await notingNoEffect(for: before) { try await open(before) }
    case .leave(let before): try await notingNoEffect(for: before) { try await leave(before) }
    case .action(let action, let epoch): try await perform(action, by: operation, epoch)
    case .post(let message, let ref, let replyTo, let before):
      if !before.outcomeIsUnknown { firstAttempts[operation] = (now, ref) }
      return try await unlessRefused(message, by: before) {
        try await post(message, to: ref, replyTo: replyTo, by: before)
      }
    case .lookUp(let message): try await lookUp(message, of: operation)
    case .nothing: break
    }
    return nil
  }

  /// Returns the result of `post`, and handles its error. If the outcome of an earlier attempt is unknown,
  /// marks the error as inconclusive. Otherwise, if the error shows that the server can't have the message,
  /// completes a cancellation that the user requested during the attempt.
  func unlessRefused<Answer>(
    _ message: MessageRow, by before: OperationRow, _ post: () async throws -> Answer
  ) async throws -> Answer {
    if before.outcomeIsUnknown {
      return try await InconclusiveFailure.marking(mayHaveArrived: true, post)
    }
    do {
      return try await post()
    } catch let error as BackendError where error.hadNoEffect && !before.mayHaveArrived {
      let isTakenBack = try? await store.write(.powerCut) {
        try MessageEnds($0).completeCancelling(message.id)
      }
      if isTakenBack == true { await preparation.discardCopies(of: message.messageID) }
      throw error
    }
  }

  private func start(_ operation: OperationID) async throws -> Attempt {
    let (mayRepeat, posted) = (mayRepeat(operation), postedRef(operation))
    return try await writeAttempts(of: [operation]) {
      try Attempts($0).start(operation, mayRepeat: mayRepeat, in: posted)
    }
  }

  /// Whether an operation may be repeated although an earlier attempt may have reached the server. This
  /// requires that the server still recognizes the message id.
  func mayRepeat(_ operation: OperationID) -> Bool {
    switch backend.capabilities.idempotency {
    case .forever: true
    // The time is measured by this process's uptime, which never jumps. An attempt of an earlier process
    // counts as outside the window. A repeated message may arrive until the end of its send deadline, and
    // this end must be within the window.
    case .window(let window):
      firstAttempts[operation].map {
        runtime.uptime() - $0.uptime + backend.capabilities.sendDeadline < window
      } ?? false
    case .none: false
    }
  }

  /// The ref of an operation's first attempt, if the server recognizes ids for a limited time: it then knows them by
  /// conversation, and a conversation may have got another ref since.
  private func postedRef(_ operation: OperationID) -> ConversationRef? {
    guard case .window = backend.capabilities.idempotency else { return nil }
    return firstAttempts[operation]?.ref
  }

  /// Opens or leaves a conversation. Such an attempt may always be repeated, but until one may have reached the server,
  /// the operation can still be taken back.
  private func notingNoEffect(for before: OperationRow, _ attempt: () async throws -> Void) async throws {
    do {
      try await attempt()
    } catch let error as InconclusiveFailure where !before.outcomeIsUnknown {
      if !BackendError(from: error.cause).outcomeIsUnknown {
        try await store.write(.kill) { try Attempts($0).postpone(before.id, outcomeIsUnknown: false) }
      }
      throw error
    }
  }

  private func open(_ operation: OperationRow) async throws {
    let request = try JSONDecoder().decode(ConversationRequest.self, from: operation.parameters ?? Data())
    let epoch = try await store.read { try $0.account()?.epoch }
    // Opening a conversation may always be repeated, even if sending a message may not.
    try await InconclusiveFailure.marking {
      let info = try await backend.open(request)
      try await store.write(.powerCut) { work in
        try work.requireCurrent(epoch)
        try ConversationBook(work).completeOpening(operation.id, info)
      }
    }
  }

  private func leave(_ operation: OperationRow) async throws {
    let conversation = operation.conversation
    if let ref = try await store.read({ try $0.find(ConversationRow.self, conversation)?.ref }) {
      try await InconclusiveFailure.marking { try await backend.require(\.leaving).leave(ref) }
    }
    try await store.write(.powerCut) { try ConversationEnds($0).completeLeaving(operation.id) }
  }

  private func perform(_ action: OutgoingAction, by operation: OperationID, _ epoch: Epoch?) async throws {
    // An action may always be repeated: the server recognizes the action's id.
    try await InconclusiveFailure.marking {
      let message = try await backend.require(\.actions?.backend).perform(action)
      try await store.write(.powerCut) { work in
        try work.requireCurrent(epoch)
        try MessageActions(work).complete(operation, with: message)
      }
    }
  }

  private func post(
    _ message: MessageRow, to ref: ConversationRef?, replyTo: MessageReference?, by operation: OperationRow
  ) async throws -> Step? {
    let receipt = try await backend.send(outgoing(message, to: ref, replyTo: replyTo))
    let next = try await acknowledge(message.id, receipt, of: operation.id)
    if operation.isMedia { await preparation.discardCopies(of: message.messageID) }
    return next
  }

  func outgoing(_ message: MessageRow, to ref: ConversationRef?, replyTo: MessageReference?) throws
    -> OutgoingMessage
  {
    OutgoingMessage(
      id: message.messageID, conversation: try known(ref), kind: message.kind, payload: message.payload,
      parameters: StoredParameters.decode(message.parameters), replyTo: replyTo,
      mentions: Mentions(stored: message.mentions), isCountable: store.kinds.isCountable(message.kind))
  }

  /// Stores a receipt. If possible, starts the next message of the lane in the same transaction, so that the
  /// lane needs only one commit for each message.
  ///
  /// - Returns: the message that was started; nil if no message was started.
  private func acknowledge(_ message: LocalMessageID, _ receipt: SendReceipt, of operation: OperationID)
    async throws -> Step?
  {
    if let next = nextPost(after: operation) {
      let (mayRepeat, posted) = (mayRepeat(next), postedRef(next))
      do {
        let attempt = try await writeAttempts(of: [operation, next]) { work in
          try Attempts(work).acknowledge(message, receipt)
          return try Attempts(work).start(next, mayRepeat: mayRepeat, in: posted)
        }
        return Step(operation: next, attempt: attempt)
      } catch {
        // The receipt is now stored alone, since the next message may have caused the error.
        lanes.change(of: next) { $0.interrupted(next, at: runtime.uptime()) }
      }
    }
    try await writeAttempts(of: [operation]) { try Attempts($0).acknowledge(message, receipt) }
    return nil
  }

  private func nextPost(after operation: OperationID) -> OperationID? {
    let now = runtime.uptime()
    // With pipelining, the next messages are started together, not with a receipt.
    guard pipelining == nil else { return nil }
    // Operations that depend on this message can be selected only after its receipt is stored.
    guard !Task.isCancelled, !isSignedOut, (heldUntil ?? now) <= now, !lanes.hasDependents else { return nil }
    return lanes.change(of: operation) { $0.following(operation, at: now, limit: 1).first }
  }

  // MARK: Looking an outcome up

  /// Looks up on the server a message that must not be posted twice.
  ///
  /// - Throws: ``SendFailure`` with ``SendFailure/Code/outcomeUnknown`` if the message is not found.
  private func lookUp(_ message: MessageRow, of operation: OperationID) async throws {
    let stored = try await InconclusiveFailure.marking { try await find(message) }
    guard let stored else {
      throw SendFailure(.outcomeUnknown, "It may have arrived; the server can't tell.")
    }
    try await store.write(.powerCut) { try Attempts($0).adopt(message.id, stored) }
    await preparation.discardCopies(of: message.messageID)
  }

  /// Looks for a message in the newest five pages of its conversation. Each page has at most 100 messages.
  /// Nil if the message is not there, if the server does not return message ids, or if the server refuses to
  /// return the history.
  private func find(_ message: MessageRow) async throws -> IncomingMessage? {
    guard backend.capabilities.echoesMessageID != .never else { return nil }
    let ref = try known(
      await store.read { try $0.find(ConversationRow.self, message.conversation)?.ref })
    var anchor = HistoryAnchor.newest
    for _ in 1...5 {
      let page: HistoryPage
      do {
        page = try await backend.history(of: ref, at: anchor, limit: 100)
      } catch let error as BackendError where error.code == .unsupported || error.code == .permanent {
        return nil
      }
      if let epoch = page.epoch, let known = message.epoch, epoch != known { throw BackendError.otherEpoch }
      let found = page.messages.first { $0.sender == store.account && $0.messageID == message.messageID }
      if let found { return found }
      guard !page.reachesStart, let next = HistoryAnchor(before: page, on: store.ordering), next != anchor
      else { return nil }
      anchor = next
    }
    return nil
  }

  private func known(_ ref: ConversationRef?) throws -> ConversationRef {
    // No message is posted before its conversation has got a ref. If the ref is missing here, an epoch change
    // has removed it.
    guard let ref else { throw BackendError(.transient, "The conversation has to be opened again first.") }
    return ref
  }
}
