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
  /// The action that the operation performs on its target; nil for other kinds of operation.
  var action: StoredAction? {
    kind == .revise
      ? parameters.flatMap { try? JSONDecoder().decode(StoredAction.self, from: $0) } : nil
  }
}

/// The actions on one message that wait in the outbox; the row's `pending` column is computed from them.
struct PendingActionQueue {
  private let work: UnitOfWork

  init(_ work: UnitOfWork) { self.work = work }

  /// Combines a new action with waiting ones that were never tried: a second edit replaces the first, an action and its
  /// reverse cancel each other, and a recall discards all others.
  ///
  /// - Returns: whether nothing is left to queue.
  func absorbs(_ new: StoredAction, on row: MessageRow) throws -> Bool {
    for var operation in try work.rows.actions(on: row.id).reversed() where operation.attempts == 0 {
      guard var waiting = operation.action else { continue }
      switch (waiting.action, new.action) {
      case (.edit, .edit):
        waiting.action = new.action
        operation.parameters = try JSONEncoder().encode(waiting)
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

  /// Whether a message already has the state that an action would give it.
  ///
  /// For an action that was tried, it is unknown whether the server has applied it, and whether others have
  /// reversed it since. The message must therefore have that state both with and without the tried actions.
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

  /// Updates the row's pending actions.
  func show(on id: LocalMessageID, _ failure: SendFailure? = nil) throws {
    guard var row = try work.rows.find(MessageRow.self, id) else { return }
    row.pending = PendingActions.encode(try work.rows.actions(on: id).compactMap(\.action?.action))
    if row.status == .sent { row.failure = failure }
    try work.update(row)
  }

  /// A message is sent again: its actions are queued again after it.
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

  /// Removes the actions of a message that was recalled or deleted.
  func drop(on row: inout MessageRow) throws {
    row.pending = nil
    for operation in try work.rows.actions(on: row.id) { try work.end(operation.id) }
  }

  /// Removes the actions of a message that will not be sent automatically; its content becomes the edited
  /// content.
  ///
  /// - Returns: whether the message was to be recalled, so that it must be removed.
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
