#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinStorage

/// What getting a message ready brings about, each step stored before the next begins.
extension ChatTransaction {
  /// Begins to get a message ready. Nil where the operation is done with.
  func beginPreparing(_ id: OperationID) throws -> (message: MessageRow, isMedia: Bool)? {
    guard let operation = try rows.find(OperationRow.self, id), operation.needsPreparation,
      let message = operation.message, var row = try rows.find(MessageRow.self, message)
    else { return nil }
    if row.status != .sending {
      row.status = .sending
      try update(row)
    }
    return (row, operation.isMedia)
  }

  /// One attachment is on the media server: the content names it there, once for all attempts.
  func prepared(_ id: OperationID, payload: Data, isComplete: Bool) throws {
    guard var operation = try rows.find(OperationRow.self, id), let message = operation.message,
      var row = try rows.find(MessageRow.self, message)
    else { return }
    row.payload = payload
    try update(row)
    operation.needsPreparation = !isComplete
    _ = try rows.update(operation)
  }

  /// A participant is done with the message: what it made of it is what goes on, once for all attempts.
  ///
  /// - Parameter payload: the new content's bytes; nil where it is the one that it was.
  func prepared(_ id: OperationID, _ draft: MessageDraft, payload: Data?, done: [String]) throws {
    guard var operation = try rows.find(OperationRow.self, id), let message = operation.message,
      var row = try rows.find(MessageRow.self, message)
    else { return }
    let before = row
    if let payload {
      // A copy elsewhere calls nobody, though its content names them still.
      let called = draft.content.mentioned
      if store.kinds.decode(row.kind, row.payload).mentioned != called { row.mentions = called.stored }
      row.kind = draft.kind
      row.payload = payload
    }
    row.parameters = StoredParameters.encode(draft.parameters)
    if row != before { try update(row) }
    operation.participantsDone = done
    _ = try rows.update(operation)
  }

  /// Nothing is left to prepare.
  func endPreparing(_ id: OperationID) throws {
    guard var operation = try rows.find(OperationRow.self, id) else { return }
    operation.needsPreparation = false
    _ = try rows.update(operation)
  }
}
