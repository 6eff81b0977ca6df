#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinStorage

/// The result of cancelling a message.
public enum CancelOutcome: Sendable, Hashable {
  /// The server does not have the message and will not get it. The message is removed from this device, with all its
  /// data.
  case cancelled
  /// The server has the message.
  case tooLate
  /// The message may have arrived. The message is not retried automatically, and stays uncertain until the
  /// running attempt or sync reports the outcome. If only the running attempt can have reached the server,
  /// and its result shows that the message did not arrive, the message is removed.
  case unknown
}

/// Ends the sending of messages (failed, uncertain, cancelled, sent), and releases or fails the dependents of the
/// messages. A dependent of a message is an operation that waits for the message.
struct MessageEnds {
  private let work: UnitOfWork
  private let pending: PendingActionQueue

  init(_ work: UnitOfWork) {
    self.work = work
    pending = PendingActionQueue(work)
  }

  // MARK: Failed, uncertain

  /// Ends an operation that posts a message; the message becomes failed or uncertain. A message that was sent again
  /// after an uncertain outcome always becomes uncertain.
  func giveUp(_ operation: OperationRow, as status: MessageStatus, _ failure: SendFailure) throws {
    try work.end(operation.id)
    guard let message = operation.message else { return }
    try fail(message, as: operation.kind == .resend ? .uncertain : status, failure)
  }

  /// Ends the sending of a message as failed or uncertain, and fails its dependents. Participants may modify
  /// the failure before it is stored. Does nothing if the message is sent or gone.
  ///
  /// If a recall of the failed message is waiting, the message is removed instead.
  func fail(_ id: LocalMessageID, as status: MessageStatus, _ failure: SendFailure) throws {
    guard var row = try work.rows.find(MessageRow.self, id), row.status != .sent else { return }
    // If the message may have arrived, its actions wait until the outcome is known.
    if status == .failed, try pending.fold(into: &row) {
      // Replies that have failed become ordinary messages when the message is removed.
      try failDependents(of: id, failure)
      try remove(row)
      return work.noteEnd(of: row, as: .cancelled)
    }
    row.status = status
    row.failure = failure
    let store = work.store
    let shown = store.participants.modify(failure, of: row.message(for: store.account, kinds: store.kinds))
    row.failure = shown
    try work.update(row)
    work.noteEnd(of: row, as: status == .failed ? .failed(shown) : .uncertain(shown))
    try failDependents(of: id, failure)
    if failure.code == .refused { try forgetUploads(of: row) }
  }

  /// Forgets the uploads of a refused message. The media server may have lost the files, so the files are
  /// uploaded again for the next message that contains them.
  private func forgetUploads(of message: MessageRow) throws {
    let content = work.store.kinds.decode(message.kind, message.payload)
    let refused = Set((content.attachments ?? []).compactMap(\.media?.id))
    guard !refused.isEmpty else { return }
    for row in try work.rows.finishedUploads() {
      let media = row.media.flatMap { try? JSONDecoder().decode(RemoteMedia.self, from: $0) }
      if let media, refused.contains(media.id) {
        _ = try work.rows.delete(UploadRow.self, row.hash, row.type)
      }
    }
  }

  // MARK: Cancelled

  /// Cancels a message if the server can't have the message. If an attempt may have reached the server, the
  /// message becomes uncertain and is not retried. A sent or uncertain message does not change.
  func cancel(_ id: LocalMessageID) throws -> (outcome: CancelOutcome, message: MessageID) {
    var row = try work.rows.message(id)
    if row.status == .sent { return (.tooLate, row.messageID) }
    let operations = try work.rows.operations(of: id)
    if row.status == .uncertain { return (.unknown, row.messageID) }
    if let attempted = operations.first(where: \.mayHaveArrived) {
      let failure = SendFailure(.outcomeUnknown, "The message was cancelled, but may have arrived already.")
      try giveUp(attempted, as: .uncertain, failure)
      return (.unknown, row.messageID)
    }
    try withdraw(&row, operations, because: "The message that it depends on was cancelled.")
    return (.cancelled, row.messageID)
  }

  /// Removes a message if the user has cancelled or recalled the message during an attempt. Called when no attempt can
  /// have reached the server.
  ///
  /// - Returns: whether the message was removed.
  func completeCancelling(_ id: LocalMessageID) throws -> Bool {
    guard var row = try work.rows.find(MessageRow.self, id) else { return false }
    let operations = try work.rows.operations(of: id)
    if row.status == .queued || row.status == .sending, PendingActions.decode(row.pending)?.isRecalled == true
    {
      try withdraw(&row, operations, because: "The message that it depends on was recalled.")
      return true
    }
    guard row.status == .uncertain, operations.isEmpty else { return false }
    // If the closing of the conversation stopped the message, the message was not cancelled by the user, and
    // is not removed.
    let isClosed = try work.row(of: row.conversation).isClosed
    if isClosed || row.failure?.code == .recipientRemoved { return false }
    try pending.drop(on: &row)
    try remove(row)
    work.noteEnd(of: row, as: .cancelled)
    return true
  }

  /// Ends a message that the server can't have, with its operations and actions.
  ///
  /// - Parameter reason: the failure of the messages that depend on it.
  private func withdraw(_ row: inout MessageRow, _ operations: [OperationRow], because reason: String) throws
  {
    for operation in operations { try work.end(operation.id) }
    try pending.drop(on: &row)
    try failDependents(of: row.id, SendFailure(.cancelled, reason))
    try remove(row)
    if row.status != .failed { work.noteEnd(of: row, as: .cancelled) }
  }

  /// Removes a message that the server does not have and will not get.
  private func remove(_ row: MessageRow) throws {
    try Replies(work).release(from: row.id)
    try work.delete(row)
  }

  // MARK: Dependents

  /// Returns the message if dependent messages must wait for it; nil if the server already has the message.
  ///
  /// - Throws: ``ChatError`` if the message failed, is uncertain or is not stored.
  func pendingMessage(_ target: LocalMessageID) throws -> MessageRow? {
    let row = try work.rows.message(target)
    switch row.status {
    case .sent: return nil
    case .queued, .sending: return row
    case .failed, .uncertain:
      throw ChatError(.notPossibleNow, "Nothing can follow a message that was not sent.")
    }
  }

  /// Removes the operations that post a message, because the server has the message, and releases the
  /// dependents of the message. Waiting copies get the message's content. If the message was recalled, the
  /// copies fail.
  func endSending(of message: MessageRow) throws {
    for operation in try work.rows.operations(of: message.id) { try work.end(operation.id) }
    for var operation in try work.rows.dependents(of: message.id) {
      if operation.kind == .forward, message.isRecalled {
        let status = operation.mayHaveArrived ? MessageStatus.uncertain : .failed
        try giveUp(operation, as: status, SendFailure(.cancelled, "The message was recalled."))
        continue
      }
      if operation.kind == .forward, let copy = operation.message,
        var row = try work.rows.find(MessageRow.self, copy)
      {
        (row.kind, row.payload) = content(forCopiesOf: message)
        try work.update(row)
      }
      operation.dependsOn = nil
      _ = try work.rows.update(operation)
    }
  }

  /// The content with a waiting edit, unless the edit names files that are not on the server yet.
  private func content(forCopiesOf message: MessageRow) -> (MessageKind, Data) {
    guard let edit = PendingActions.decode(message.pending)?.edit,
      work.store.kinds.decode(edit.kind, edit.payload).attachments?.contains(where: { $0.media == nil })
        == false
    else { return (message.kind, message.payload) }
    return (edit.kind, edit.payload)
  }

  /// Fails the dependents of a message that is not sent automatically any more. Each dependent message gets
  /// `failure`; a dependent that may have arrived becomes uncertain. Actions on the message are not changed here.
  private func failDependents(of message: LocalMessageID, _ failure: SendFailure) throws {
    for dependent in try work.rows.dependents(of: message) where dependent.kind != .revise {
      // The operation is read again, because an earlier iteration may have ended the operation.
      guard let operation = try work.rows.find(OperationRow.self, dependent.id) else { continue }
      try giveUp(operation, as: operation.mayHaveArrived ? .uncertain : .failed, failure)
    }
  }
}

extension StoredContent {
  /// The attachments of the content; nil if the content can't be decoded.
  var attachments: [MessageAttachment]? {
    if case .known(let content) = self { content.allAttachments } else { nil }
  }
}
