#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinStorage

/// An action as stored in the outbox.
struct StoredAction: Codable, Equatable {
  let id: ActionID
  var action: MessageAction

  private enum CodingKeys: String, CodingKey { case id, action = "revision" }
}

extension OperationRow {
  /// The action that the operation performs on its target; nil for other kinds of operation, or if the action
  /// can't be decoded.
  var action: StoredAction? {
    kind == .revise
      ? parameters.flatMap { try? JSONDecoder().decode(StoredAction.self, from: $0) } : nil
  }
}

/// The actions on a message that wait in the outbox. The `pending` column of the message's row is computed from these
/// actions.
struct PendingActionQueue {
  private let work: UnitOfWork

  init(_ work: UnitOfWork) { self.work = work }

  /// Combines a new action with the waiting actions that were certainly never tried:
  ///
  /// - A second edit replaces the first edit.
  /// - Setting and removing the same reaction or flag cancel each other.
  /// - A recall discards all these waiting actions.
  ///
  /// - Returns: whether the new action need not be queued.
  func absorbs(_ new: StoredAction, on row: MessageRow) throws -> Bool {
    for var operation in try work.rows.actions(on: row.id).reversed() where operation.attempts == 0 {
      guard var waiting = operation.action else { continue }
      switch (waiting.action, new.action) {
      case (.edit, .edit):
        waiting.action = new.action
        operation.parameters = try StoredJSON.encode(waiting)
        _ = try work.rows.update(operation)
        return true
      case (_, .recall): try work.end(operation.id)
      case (.reaction(let key, let wasSet), .reaction(let same, let isSet))
      where key == same && wasSet != isSet:
        try work.end(operation.id)
        return try isDone(new.action, on: row.id)
      case (.flag(let flag, let wasSet), .flag(let same, let isSet)) where flag == same && wasSet != isSet:
        try work.end(operation.id)
        return try isDone(new.action, on: row.id)
      default: continue
      }
    }
    return false
  }

  /// Whether a message already has the state that would result from an action.
  ///
  /// The server may or may not have applied the actions that were tried, and other users may have reversed
  /// these actions. The message must therefore have the state both with and without the tried actions.
  private func isDone(_ action: MessageAction, on id: LocalMessageID) throws -> Bool {
    let row = try work.rows.message(id)
    let left = try work.rows.actions(on: id)
    return [left, left.filter { $0.attempts == 0 }].allSatisfy { operations in
      let waiting = PendingActions(operations.compactMap(\.action?.action))
      switch action {
      case .flag(let flag, let isSet):
        return waiting.applied(to: Set(StoredFlags.decode(row.flags).keys)).contains(flag) == isSet
      case .reaction(let key, let isSet):
        let shown = waiting.applied(to: StoredReactions.decode(row.reactions), by: work.store.account)
        return shown.contains { $0.key == key && $0.isBy(work.store.account) } == isSet
      case .edit, .recall: return false
      }
    }
  }

  /// Updates the pending actions in a message's row. If the message is sent, its failure becomes `failure`.
  func show(on id: LocalMessageID, _ failure: SendFailure? = nil) throws {
    guard var row = try work.rows.find(MessageRow.self, id) else { return }
    row.pending = PendingActions.encode(try work.rows.actions(on: id).compactMap(\.action?.action))
    if row.status == .sent { row.failure = failure }
    try work.update(row)
  }

  /// Queues the actions on a message again, behind the operation that sends the message again.
  func requeue(on id: LocalMessageID) throws {
    for operation in try work.rows.actions(on: id) {
      try work.end(operation.id)
      try work.queue(
        OperationRow(
          id: work.makeOperationID(), conversation: operation.conversation, kind: .revise, message: nil,
          parameters: operation.parameters, needsPreparation: false, attempts: 0, outcomeIsUnknown: false,
          queued: operation.queued, dependsOn: id, target: id))
    }
  }

  /// Removes all waiting actions on a message. The caller stores the row.
  func drop(on row: inout MessageRow) throws {
    row.pending = nil
    for operation in try work.rows.actions(on: row.id) { try work.end(operation.id) }
  }

  /// Removes all waiting actions on a message that becomes failed. A waiting edit becomes the content of the
  /// row, which the caller stores.
  ///
  /// - Returns: whether a recall was waiting. If true, the caller must remove the message.
  func fold(into row: inout MessageRow) throws -> Bool {
    let waiting = try work.rows.actions(on: row.id).compactMap(\.action?.action)
    let folded = PendingActions(waiting)
    try drop(on: &row)
    if let edit = folded.edit {
      (row.kind, row.payload) = (edit.kind, edit.payload)
      row.mentions = work.store.kinds.decode(edit.kind, edit.payload).mentioned.stored
    }
    return folded.isRecalled
  }
}
