import SkeinStorage

/// Deletes messages and conversations on this device; the server keeps them.
struct Clearing {
  private let work: UnitOfWork
  private let pending: PendingActionQueue

  init(_ work: UnitOfWork) {
    self.work = work
    pending = PendingActionQueue(work)
  }

  /// Deletes messages for good; a message that is still to be sent is cancelled.
  ///
  /// If the server has the message, or may have it, its row stays without content, so that a later sync does not store
  /// the message again.
  ///
  /// - Returns: the message ids of the messages whose rows were removed, since the server can't have them.
  func delete(_ ids: [LocalMessageID]) throws -> [MessageID] {
    var gone: [MessageID] = []
    for id in ids {
      guard let known = try work.rows.find(MessageRow.self, id) else { continue }
      if known.status != .sent { _ = try MessageEnds(work).cancel(id) }
      guard var row = try work.rows.find(MessageRow.self, id) else {
        gone.append(known.messageID)
        continue
      }
      row.isHidden = true
      // The outcome of the message may never be known, so its actions might wait for ever.
      if row.status != .sent { try pending.drop(on: &row) }
      try work.update(row)
    }
    return gone
  }

  /// Deletes the messages of a conversation here, for good. Two kinds of message stay: those that wait to be
  /// sent, and sent ones whose place in the history is not known yet.
  ///
  /// The server may accept an own message while older messages are not stored here yet. Those older messages are not
  /// cleared, and the own message stays as a hidden row. If the server stores read marks, the cleared messages are
  /// marked as read there too: otherwise the server would still count them as unread.
  func clear(_ id: ConversationID) throws {
    let last = try work.spans(of: id).newest.flatMap {
      try work.rows.lastAcknowledged(in: id, upTo: $0.upper)
    }
    // An own message of an earlier epoch may be newer than messages of the server that were not received yet. A
    // clearing that ends at the time of the own message would cover those messages too, so the own message is hidden
    // instead of deleted.
    let isOwnOfEarlierEpoch = { [account = work.store.account] (row: MessageRow) in
      row.rank.isEarlier && row.sender == account
    }
    let messages = try work.rows.clearableMessages(of: id)
    // The row of a sent message with waiting actions stays, since the actions need its ids.
    let targets = Set(try work.rows.actionTargets(in: id))
    let known = messages.filter {
      $0.status == .sent && $0.rank <= last ?? .lowest && !isOwnOfEarlierEpoch($0)
    }
    for var row in messages {
      // A message that was deleted here, but may have arrived, keeps its row: a sync may still return the message.
      if row.isHidden, row.status == .uncertain { continue }
      // Without positions, only a stored message can mark the end of the clearing.
      let isEdge = work.store.ordering == .arrival && row.isPlaced && row.rank == last
      if row.status != .sent { try pending.drop(on: &row) }
      let isNeeded = isEdge || row.status == .sent && targets.contains(row.id)
      if isNeeded || row.status == .sent && (row.rank > last ?? .lowest || isOwnOfEarlierEpoch(row)) {
        row.isHidden = true
        try work.update(row)
      } else {
        work.store.cleared.note(row)
        try work.delete(row)
      }
    }
    guard let last else { return }
    try work.rows.forgetAbsentMessages(of: id)
    try work.note(.flags, of: id)
    try clear(id, upTo: last, at: known.map(\.time).max())
    // An earlier clearing may end above the last stored message.
    let clearedUpTo = try work.row(of: id).clearedUpTo
    try work.changeSpans(of: id) { $0.cleared(at: clearedUpTo) }
  }

  /// Marks a conversation as cleared and read up to a rank: messages at or below the rank are not stored again.
  ///
  /// - Parameter time: the server's time of the last cleared message; nil if unknown.
  func clear(_ id: ConversationID, upTo rank: Rank, at time: Timestamp?) throws {
    try work.change(id) { row in
      row.clearedUpTo = max(row.clearedUpTo, rank)
      row.clearedTime = [row.clearedTime, time].compactMap(\.self).max()
      guard rank > row.readMark else { return }
      row.readMark = rank
      if work.store.capabilities.readMarks, rank > Rank(rawValue: 0) { row.pendingReadMark = rank }
    }
  }

  /// Clears a conversation and removes it from the list. A message that is received later, or that the
  /// clearing did not remove, lists the conversation again.
  func deleteConversation(_ id: ConversationID) throws {
    try clear(id)
    try work.change(id) { row in
      row.isHidden = true
      row.isPinned = false
      row.draft = nil
    }
  }
}
