#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinStorage

/// The result of cancelling a message.
public enum CancelOutcome: Sendable, Hashable {
  /// The server does not have it and will not get it: it is removed from this device, with all its data.
  case cancelled
  /// The server has it.
  case tooLate
  /// It may have arrived. It is not retried, and is shown as uncertain until the running attempt or sync
  /// reports the outcome, or its user decides. If the running attempt certainly failed, the message is
  /// removed as if cancelled.
  case unknown
}

/// Ends the sending of messages (failed, uncertain, cancelled, sent), and releases or fails their dependents.
struct MessageEnds {
  private let work: UnitOfWork
  private let pending: PendingActionQueue

  init(_ work: UnitOfWork) {
    self.work = work
    pending = PendingActionQueue(work)
  }

  // MARK: Failed, uncertain

  /// Ends an operation that posts a message; the message fails, or is uncertain.
  func giveUp(_ operation: OperationRow, as status: MessageStatus, _ failure: SendFailure) throws {
    try work.end(operation.id)
    guard let message = operation.message else { return }
    try fail(message, as: operation.kind == .resend ? .uncertain : status, failure)
  }

  /// Ends the sending of a message as failed or uncertain; participants modify the failure before it is
  /// stored.
  func fail(_ id: LocalMessageID, as status: MessageStatus, _ failure: SendFailure) throws {
    guard var row = try work.rows.find(MessageRow.self, id), row.status != .sent else { return }
    // The actions of a message that may have arrived wait until its outcome is known.
    if status == .failed, try pending.fold(into: &row) {
      try work.delete(row)
      work.noteEnd(of: row, as: .cancelled)
      return try failDependents(of: id, failure)
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

  /// Forgets the uploads of a refused message: the server may have lost its media, so the next message
  /// uploads the files again.
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

  /// Cancels a message that the server can't have, and stops retrying one that it may have.
  func cancel(_ id: LocalMessageID) throws -> (outcome: CancelOutcome, message: MessageID) {
    var row = try work.rows.message(id)
    if row.status == .sent { return (.tooLate, row.messageID) }
    let operations = try work.rows.operations(of: id)
    if row.status == .uncertain { return (.unknown, row.messageID) }
    if let attempted = operations.first(where: \.mayHaveArrived) {
      let failure = SendFailure(.outcomeUnknown, "It was cancelled, but may have arrived already.")
      try giveUp(attempted, as: .uncertain, failure)
      return (.unknown, row.messageID)
    }
    for operation in operations { try work.end(operation.id) }
    try pending.drop(on: &row)
    try failDependents(of: id, SendFailure(.cancelled, "The message that it depends on was cancelled."))
    try work.delete(row)
    if row.status != .failed { work.noteEnd(of: row, as: .cancelled) }
    return (.cancelled, row.messageID)
  }

  /// The first attempt certainly did not reach the server: a message that its user cancelled meanwhile is
  /// removed.
  ///
  /// - Returns: whether it was removed.
  func completeCancelling(_ id: LocalMessageID) throws -> Bool {
    guard var row = try work.rows.find(MessageRow.self, id), row.status == .uncertain,
      try work.rows.operations(of: id).isEmpty
    else { return false }
    // If the message was stopped by the closing of its conversation, its user did not cancel it: it stays.
    let isClosed = try work.row(of: row.conversation).isClosed
    if isClosed || row.failure?.code == .recipientRemoved { return false }
    try pending.drop(on: &row)
    try work.delete(row)
    work.noteEnd(of: row, as: .cancelled)
    return true
  }

  // MARK: Dependents

  /// A message that dependent messages must wait for; nil if the server already has it.
  func pendingMessage(_ target: LocalMessageID) throws -> MessageRow? {
    let row = try work.rows.message(target)
    switch row.status {
    case .sent: return nil
    case .queued, .sending: return row
    case .failed, .uncertain:
      throw ChatError(.notPossibleNow, "Nothing can follow a message that was not sent.")
    }
  }

  /// The server has a message: removes its operations, and releases its dependents.
  func releaseDependents(of message: MessageRow) throws {
    for operation in try work.rows.operations(of: message.id) { try work.end(operation.id) }
    for var operation in try work.rows.dependents(of: message.id) {
      if operation.kind == .forward, message.isRecalled {
        try giveUp(operation, as: .failed, SendFailure(.cancelled, "The message was recalled."))
        continue
      }
      if operation.kind == .forward, let copy = operation.message,
        var row = try work.rows.find(MessageRow.self, copy)
      {
        row.kind = message.kind
        row.payload = message.payload
        try work.update(row)
      }
      operation.dependsOn = nil
      _ = try work.rows.update(operation)
    }
  }

  /// Fails the dependents of a message that will not be sent automatically, for the same reason.
  private func failDependents(of message: LocalMessageID, _ failure: SendFailure) throws {
    for dependent in try work.rows.dependents(of: message) where dependent.kind != .revise {
      // Ending one dependent may have ended others.
      guard let operation = try work.rows.find(OperationRow.self, dependent.id) else { continue }
      try giveUp(operation, as: .failed, failure)
    }
  }
}

extension StoredContent {
  /// The attachments of a content; nil if it can't be decoded.
  var attachments: [MessageAttachment]? {
    if case .known(let content) = self { content.allAttachments } else { nil }
  }
}
