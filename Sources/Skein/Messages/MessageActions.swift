#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinStorage

/// Edits, recalls, reactions and flags of messages. Each action is shown at once. The action waits in the
/// outbox for the server, unless the message can still be changed or cancelled on this device.
struct MessageActions {
  private let work: UnitOfWork
  private let pending: PendingActionQueue
  private let ends: MessageEnds

  init(_ work: UnitOfWork) {
    self.work = work
    pending = PendingActionQueue(work)
    ends = MessageEnds(work)
  }

  /// Replaces the content of a message of this account. If the row can still be changed, the row gets the
  /// content. If not, an edit is queued as an action.
  ///
  /// - Parameter mentions: the mentions of the new content, encoded for storage.
  func edit(
    _ id: LocalMessageID, _ kind: MessageKind, _ payload: Data, _ mentions: Data?, as name: ActionID
  ) throws {
    var row = try changeable(id, ownTo: "edit")
    guard try isFrozen(row) else {
      // An older edit may be queued, because the row could not be changed at that time. The older edit would
      // overwrite this edit.
      try pending.drop(on: &row)
      (row.kind, row.payload, row.mentions) = (kind, payload, mentions)
      return try work.update(row)
    }
    try queue(StoredAction(id: name, action: .edit(kind, payload: payload)), on: row)
  }

  /// Recalls this account's message, or cancels the message if the server can't have the message.
  ///
  /// - Returns: the id of the message if its row was removed; nil if the recall was queued.
  func recall(_ id: LocalMessageID, as name: ActionID) throws -> MessageID? {
    let row = try changeable(id, ownTo: "recall")
    let mayBeThere =
      switch row.status {
      case .sent, .uncertain: true
      case .failed: false
      case .queued, .sending: try work.rows.operations(of: id).contains(where: \.mayHaveArrived)
      }
    guard mayBeThere else { return try ends.cancel(id).message }
    try queue(StoredAction(id: name, action: .recall), on: row)
    return nil
  }

  /// Adds or removes this account's reaction to a message that the server has.
  func react(_ key: ReactionKey, to id: LocalMessageID, isSet: Bool, as name: ActionID) throws {
    let row = try changeable(id)
    guard row.status == .sent else {
      throw ChatError(.notPossibleNow, "Only a message that the server has can get a reaction.")
    }
    let shown = row.message(for: work.store.account, kinds: work.store.kinds).reactions
    let isThere = shown.contains { $0.key == key && $0.isBy(work.store.account) }
    guard isThere != isSet else { return }
    try queue(StoredAction(id: name, action: .reaction(key, isSet: isSet)), on: row)
  }

  /// Sets or removes a flag on a message that the server has.
  func flag(_ id: LocalMessageID, with flag: MessageFlag, isSet: Bool, as name: ActionID) throws {
    let row = try changeable(id)
    guard row.status == .sent else {
      throw ChatError(.notPossibleNow, "Only a message that the server has can be flagged.")
    }
    guard row.flagsHere.contains(flag) != isSet else { return }
    try queue(StoredAction(id: name, action: .flag(flag, isSet: isSet)), on: row)
  }

  /// Returns a message that is to be changed; throws ``ChatError`` if the change is not possible.
  ///
  /// - Parameter action: the verb for the error text if only the sender may make this change; nil if everybody may.
  private func changeable(_ id: LocalMessageID, ownTo action: String? = nil) throws -> MessageRow {
    let row = try work.rows.message(id)
    if row.isHidden { throw ChatError(.messageUnknown, "This message was deleted on this device.") }
    if let action, row.sender != work.store.account {
      throw ChatError(.notPossibleNow, "Only the sender can \(action) this message.")
    }
    if row.isRecalledHere { throw ChatError(.notPossibleNow, "The message was recalled.") }
    return row
  }

  /// Whether an edit must not change the message's row. This is so if the server may have the message, if the
  /// preparation is not complete, or if the message was queued as a copy of an unsent message.
  private func isFrozen(_ row: MessageRow) throws -> Bool {
    switch row.status {
    case .failed: return false
    case .sent, .uncertain: return true
    case .queued, .sending:
      guard let operation = try work.rows.operations(of: row.id).first else { return true }
      return operation.mayHaveArrived || operation.needsPreparation || operation.kind == .forward
    }
  }

  private func queue(_ action: StoredAction, on row: MessageRow) throws {
    let openings = ConversationOpenings(work)
    try openings.checkOpen(row.conversation)
    guard work.store.capabilities.actions.contains(action.action.ability) else {
      throw ChatError(.unsupported, "The server does not support this action.")
    }
    let isAbsorbed = try pending.absorbs(action, on: row)
    if !isAbsorbed {
      // If the conversation has no ref, it may be missing on a restored server. The conversation is therefore
      // opened again first.
      if try work.row(of: row.conversation).ref == nil { try openings.queueOpening(of: row.conversation) }
      try work.queue(
        OperationRow(
          id: work.makeOperationID(), conversation: row.conversation, kind: .revise, message: nil,
          parameters: try StoredJSON.encode(action), needsPreparation: false, attempts: 0,
          outcomeIsUnknown: false, queued: work.store.runtime.now(),
          dependsOn: row.status == .sent ? nil : row.id, target: row.id))
    }
    try pending.show(on: row.id)
  }

  // MARK: Attempts

  /// Starts an attempt. If the message is gone, or if the action can't be decoded, ends the operation and
  /// returns nil.
  ///
  /// - Throws: ``BackendError`` with `transient` if the conversation has no ref.
  func startAttempt(_ operation: OperationRow) throws -> OutgoingAction? {
    var operation = operation
    guard let target = operation.target, let stored = operation.action,
      let row = try work.rows.find(MessageRow.self, target)
    else {
      try work.end(operation.id)
      if let target = operation.target { try pending.show(on: target) }
      return nil
    }
    // An epoch change removes the ref of a one-to-one chat. The chat gets a ref again when it is opened
    // again, or when a sync returns the chat.
    guard let ref = try work.row(of: row.conversation).ref else {
      throw BackendError(.transient, "The conversation has to be opened again first.")
    }
    operation.attempts += 1
    _ = try work.rows.update(operation)
    return OutgoingAction(
      id: stored.id, conversation: ref, message: row.reference, action: stored.action)
  }

  /// Ends an action that the server has carried out, and stores the result of the action.
  ///
  /// - Parameter message: the current message on the server; nil if the server does not return the message.
  ///   In that case the action is applied to the stored message, unless that is recalled.
  func complete(_ id: OperationID, with message: IncomingMessage?) throws {
    guard let operation = try work.rows.find(OperationRow.self, id) else { return }
    try work.end(id)
    guard let target = operation.target, var row = try work.rows.find(MessageRow.self, target) else { return }
    if let message, row.rank.isEarlier {
      // The message gets its place in the new epoch when sync or a page returns it.
      row.state = MessageState(message, was: row.state)
      if row.isRecalled { try pending.drop(on: &row) }
      try work.update(row)
    } else if let message {
      try MessageMerge(work).merge(changed: message, into: row)
    } else if let stored = operation.action {
      if !row.isRecalled {
        row.state.apply(stored.action, by: work.store.account, at: work.store.clock.now)
      }
      if row.isRecalled { try pending.drop(on: &row) }
      try work.update(row)
    }
    try pending.show(on: target)
  }

  /// Undoes an action after its operation has ended: the message is shown without the action. If the message
  /// is sent, `failure` becomes the message's failure.
  func refuse(_ operation: OperationRow, _ failure: SendFailure) throws {
    guard let target = operation.target else { return }
    try pending.show(on: target, failure)
  }
}
