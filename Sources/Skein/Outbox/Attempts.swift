import SkeinStorage

/// The step that an attempt takes.
enum Attempt: Sendable {
  /// `before`: as in a post.
  case open(before: OperationRow)
  case leave(before: OperationRow)
  /// `epoch`: the epoch of the server ids in the action.
  case action(OutgoingAction, epoch: Epoch?)
  /// `before`: the operation as it was stored before this attempt. This row shows whether an earlier attempt
  /// may have reached the server.
  case post(MessageRow, to: ConversationRef?, replyTo: MessageReference?, before: OperationRow)
  /// Looks the message up, because the message may be on the server and must not be posted twice.
  case lookUp(MessageRow)
  /// The operation has nothing left to do.
  case nothing
}

/// Stores the start and the result of each attempt.
struct Attempts {
  private let work: UnitOfWork
  private let pending: PendingActionQueue

  init(_ work: UnitOfWork) {
    self.work = work
    pending = PendingActionQueue(work)
  }

  /// Queues again the messages that an earlier run was preparing or posting when it ended.
  func recover() throws {
    for operation in try work.rows.interruptedOperations() {
      try postpone(operation.id, outcomeIsUnknown: nil)
    }
  }

  /// Starts an attempt. The outcome of a started post is stored as unknown. Until the outcome is known, the
  /// message's bytes must not change. The outcome of a started opening or leaving is stored as unknown, too.
  ///
  /// Returns ``Attempt/nothing`` in each of these cases:
  ///
  /// - The operation is gone.
  /// - The message that the operation posts or changes is gone.
  /// - The message to post is already sent.
  /// - The action can't be decoded.
  ///
  /// - Parameters:
  ///   - mayRepeat: whether the server would still recognize the message's id. If false, a message with an
  ///     unknown outcome is looked up instead of posted.
  ///   - posted: the ref under which the server would recognize it; nil if under any ref.
  /// - Throws: ``BackendError`` with `transient` if the operation is an action, and its conversation has no
  ///   ref.
  func start(_ id: OperationID, mayRepeat: Bool, in posted: ConversationRef? = nil) throws -> Attempt {
    guard var operation = try work.rows.find(OperationRow.self, id) else { return .nothing }
    switch operation.kind {
    case .open, .leave:
      let before = operation
      operation.attempts += 1
      operation.outcomeIsUnknown = true
      try work.rows.update(operation, was: before)
      return operation.kind == .open ? .open(before: before) : .leave(before: before)
    case .hold: return .nothing
    case .revise:
      return try MessageActions(work).startAttempt(operation).map { .action($0, epoch: work.account.epoch) }
        ?? .nothing
    case .send, .resend, .forward: break
    }
    guard let message = operation.message, var row = try work.rows.find(MessageRow.self, message),
      row.status != .sent
    else {
      try work.end(id)
      return .nothing
    }
    if row.status != .sending || row.epoch != work.account.epoch {
      row.status = .sending
      row.epoch = work.account.epoch
      try work.update(row)
    }
    let before = operation
    let ref = try work.row(of: row.conversation).ref
    if before.outcomeIsUnknown, !mayRepeat || posted ?? ref != ref { return .lookUp(row) }
    operation.attempts += 1
    operation.outcomeIsUnknown = true
    try work.rows.update(operation, was: before)
    return .post(row, to: ref, replyTo: try Replies(work).target(of: message), before: before)
  }

  /// Stores that the server has the message. The receipt may contain no values. Sync may already have
  /// returned the message. Does nothing if the message is gone.
  ///
  /// - Throws: ``BackendError`` if a new epoch began after the start of the attempt, and the receipt names no
  ///   epoch or the epoch of the attempt.
  func acknowledge(_ message: LocalMessageID, _ receipt: SendReceipt) throws {
    guard var row = try work.rows.find(MessageRow.self, message) else { return }
    if receipt.epoch ?? row.epoch == row.epoch { try work.requireCurrent(row.epoch) }
    // If no epoch is known yet, the receipt's epoch becomes the current epoch. Pages that are already loaded
    // are moved below the new history, because the first sync does not report changes in these pages.
    if work.account.epoch == nil, let epoch = receipt.epoch {
      try EpochChange(work).begin(epoch)
      row = try work.rows.find(MessageRow.self, message) ?? row
    }
    let isNews = row.status != .sent
    row.status = .sent
    row.failure = nil
    if let time = receipt.time {
      (row.time, row.isTimeEstimated) = (time, false)
    } else if isNews {
      (row.time, row.isTimeEstimated) = (try FloatingMessages(work).estimatedTime(of: row), true)
    }
    row.epoch = receipt.epoch ?? work.account.epoch
    // If the receipt is of another epoch, the receipt's server id and position are not stored. Sync will
    // report the message.
    if row.epoch == work.account.epoch {
      // Without positions, the place of a message belongs to its stored server id. The receipt may be that of a copy.
      let isPlacedByName = work.store.ordering == .arrival && row.isPlaced && row.serverID != nil
      if !isPlacedByName { row.serverID = receipt.serverID ?? row.serverID }
      if let rank = work.store.rank(receipt.position) {
        (row.position, row.rank) = (receipt.position, rank)
      } else if row.rank.isEarlier {
        // The server had lost the message and has it again, at the end of its new history.
        row.rank = Rank(unsent: work.makeOperationID())
      }
      // Others may have changed the message before its sender received the receipt.
      if let state = try AbsentMessages(work).remove(row.serverID, in: row.conversation) {
        row.state.merge(newer: state, isLater: isNews)
      }
    }
    try MessageMerge(work).mergeDuplicate(byServerID: &row)
    if row.isRecalled { try pending.drop(on: &row) }
    try work.update(row)
    try FloatingMessages(work).listByTime(in: row.conversation, keepsEstimates: true)
    if isNews { work.noteEnd(of: row, as: .sent) }
    try MessageEnds(work).endSending(of: row)
  }

  /// Stores that the server has the message. The content on the server replaces the local content.
  ///
  /// - Throws: ``BackendError`` if a new epoch began after the start of the attempt.
  func adopt(_ message: LocalMessageID, _ stored: IncomingMessage) throws {
    guard var row = try work.rows.find(MessageRow.self, message) else { return }
    try work.requireCurrent(row.epoch)
    // A sync has returned the message while it was looked up, and reports all later changes.
    if row.status == .sent { return }
    if let rank = work.store.rank(stored.position) {
      // Others may have changed the message before it was found.
      let state = try AbsentMessages(work).remove(stored.serverID, in: row.conversation)
      let current = state.map(stored.merged(with:)) ?? stored
      return try MessageMerge(work).merge(current, at: rank, into: row)
    }
    row.state = MessageState(stored, was: row.state)
    try work.update(row)
    try acknowledge(message, SendReceipt(serverID: stored.serverID, time: stored.time))
  }

  /// Stores that an attempt failed or was interrupted. The operation waits for its next attempt.
  func postpone(_ id: OperationID, outcomeIsUnknown: Bool?, patience: Patience? = nil) throws {
    guard let known = try work.rows.find(OperationRow.self, id) else { return }
    var operation = known
    operation.outcomeIsUnknown = outcomeIsUnknown ?? operation.outcomeIsUnknown
    operation.patience = patience ?? operation.patience
    try work.rows.update(operation, was: known)
    guard let message = operation.message, var row = try work.rows.find(MessageRow.self, message),
      row.status == .sending
    else { return }
    row.status = .queued
    try work.update(row)
    // A recall that was made during the attempt removes a message that was never posted.
    if !operation.mayHaveArrived { _ = try MessageEnds(work).completeCancelling(message) }
  }

  /// Gives up an operation, because the server failed for too long. The operation's message becomes uncertain
  /// if an attempt may have reached the server. If not, the message fails.
  func expire(_ id: OperationID, outcomeIsUnknown: Bool?) throws {
    guard var operation = try work.rows.find(OperationRow.self, id) else { return }
    operation.outcomeIsUnknown = outcomeIsUnknown ?? operation.outcomeIsUnknown
    let failure = SendFailure(.gaveUp, "The server failed at it for too long.")
    let mayBeThere = operation.message != nil && operation.mayHaveArrived
    try OperationEnds(work).giveUp(id, as: mayBeThere ? .uncertain : .failed, failure)
  }
}
