#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinStorage

/// Stores the steps of preparing a message, each before the next begins.
struct PreparationSteps {
  private let work: UnitOfWork

  init(_ work: UnitOfWork) { self.work = work }

  /// Starts preparing a message, and returns its row and its operation. Nil if the message needs no more
  /// preparation, or is gone.
  func start(_ id: OperationID) throws -> (message: MessageRow, operation: OperationRow)? {
    guard let operation = try work.rows.find(OperationRow.self, id), operation.needsPreparation,
      let message = operation.message, var row = try work.rows.find(MessageRow.self, message)
    else { return nil }
    if row.status != .sending {
      row.status = .sending
      try work.update(row)
    }
    return (row, operation)
  }

  /// Stores that an attachment was uploaded: the content refers to the uploaded media in all later attempts.
  func uploaded(_ id: OperationID, payload: Data, isComplete: Bool) throws {
    guard var operation = try work.rows.find(OperationRow.self, id), let message = operation.message,
      var row = try work.rows.find(MessageRow.self, message)
    else { return }
    row.payload = payload
    try work.update(row)
    operation.needsPreparation = !isComplete
    _ = try work.rows.update(operation)
  }

  /// Stores a participant's result, which all later attempts use.
  ///
  /// - Parameter payload: the new content's bytes; nil if the content has not changed.
  func prepared(_ id: OperationID, _ draft: MessageDraft, payload: Data?, done: [String]) throws {
    guard var operation = try work.rows.find(OperationRow.self, id), let message = operation.message,
      var row = try work.rows.find(MessageRow.self, message)
    else { return }
    let before = row
    if let payload {
      // A forwarded copy mentions nobody, even if its content does, until a participant changes the mentions.
      let mentions = draft.content.mentioned
      if work.store.kinds.decode(row.kind, row.payload).mentioned != mentions {
        row.mentions = mentions.stored
      }
      row.kind = draft.kind
      row.payload = payload
    }
    row.parameters = StoredParameters.encode(draft.parameters)
    if row != before { try work.update(row) }
    operation.participantsDone = done
    _ = try work.rows.update(operation)
  }

  /// Marks the preparation as complete.
  func complete(_ id: OperationID) throws {
    guard var operation = try work.rows.find(OperationRow.self, id) else { return }
    operation.needsPreparation = false
    _ = try work.rows.update(operation)
  }
}
