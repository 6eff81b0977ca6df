#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinStorage

/// The result of taking back a message that was to be sent.
public enum CancelOutcome: Sendable, Hashable {
  /// The server does not have it and will not get it: it is gone from this device, with all that was kept for it.
  case cancelled
  /// The server has it.
  case tooLate
  /// It may have arrived. It is not tried again and is shown as uncertain, until the attempt that is under way or sync
  /// tells, or its user decides. If that attempt surely did not bring it to the server, it is gone as if cancelled.
  case unknown
}

/// The ways in which the sending of a message ends (failed, uncertain, cancelled, sent), and what waits for that end.
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

  /// The sending of a message ends without the server; the failure is stored as the participants modify it.
  func fail(_ id: LocalMessageID, as status: MessageStatus, _ failure: SendFailure) throws {
    guard var row = try work.rows.find(MessageRow.self, id), row.status != .sent else { return }
    // The actions of a message that may have arrived wait until that is known.
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

  /// A message that names these media was refused: the server may have lost them, so the next message uploads its own.
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

  /// Takes back a message that the server can't have, and stops trying one that it may have.
  func cancel(_ id: LocalMessageID) throws -> (outcome: CancelOutcome, message: MessageID) {
    var row = try work.rows.message(id)
    if row.status == .sent { return (.tooLate, row.messageID) }
    let operations = try work.rows.operations(of: id)
    if row.status == .uncertain { return (.unknown, row.messageID) }
    if let attempted = operations.first(where: \.mayHaveArrived) {
      let failure = SendFailure(.outcomeUnknown, "It was cancelled when it may have arrived already.")
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

  /// The first attempt surely did not bring the message to the server: if its user cancelled it meanwhile, it is gone.
  ///
  /// - Returns: whether it is gone.
  func completeCancelling(_ id: LocalMessageID) throws -> Bool {
    guard var row = try work.rows.find(MessageRow.self, id), row.status == .uncertain,
      try work.rows.operations(of: id).isEmpty
    else { return false }
    // Where its conversation was closed, its user did not cancel it and finds it among the failed messages.
    let isClosed = try work.row(of: row.conversation).isClosed
    if isClosed || row.failure?.code == .recipientRemoved { return false }
    try pending.drop(on: &row)
    try work.delete(row)
    work.noteEnd(of: row, as: .cancelled)
    return true
  }

  // MARK: Dependents

  /// A message that others may wait for; nil for one that the server has already.
  func pendingMessage(_ target: LocalMessageID) throws -> MessageRow? {
    let row = try work.rows.message(target)
    switch row.status {
    case .sent: return nil
    case .queued, .sending: return row
    case .failed, .uncertain:
      throw ChatError(.notPossibleNow, "Nothing can follow a message that was not sent.")
    }
  }

  /// The server has a message: nothing is left to post of it, and its dependents may go.
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

  /// Dependents of a message that will not be sent by itself fail for its reason.
  private func failDependents(of message: LocalMessageID, _ failure: SendFailure) throws {
    for dependent in try work.rows.dependents(of: message) where dependent.kind != .revise {
      // Ending one may have ended another.
      guard let operation = try work.rows.find(OperationRow.self, dependent.id) else { continue }
      try giveUp(operation, as: .failed, failure)
    }
  }
}

extension StoredContent {
  /// The attachments of a content that can be read; nil for one that can't.
  var attachments: [MessageAttachment]? {
    if case .known(let content) = self { content.allAttachments } else { nil }
  }
}
