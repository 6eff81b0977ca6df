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
  /// The row of a message that the server has or may have stays, without its content, so that the message is
  /// not stored again when it is received.
  ///
  /// - Returns: the ids of the messages whose rows were removed, since they were never sent.
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
      // The outcome of the message will never be known, so its actions would wait for ever.
      if row.status != .sent { try pending.drop(on: &row) }
      try work.update(row)
    }
    return gone
  }

  /// Deletes every message of a conversation here, for good, except those waiting to be sent.
  ///
  /// The server may accept one's own message before earlier messages are stored. Such earlier messages are
  /// not deleted, and the row of one's own message stays, hidden. The server is told that everything was
  /// read, since it would otherwise still count deleted messages.
  func clear(_ id: ConversationID) throws {
    let last = try work.spans(of: id).newest.flatMap {
      try work.rows.lastAcknowledged(in: id, upTo: $0.upper)
    }
    // One's own messages of earlier epochs may be newer than messages on the server that were not received
    // yet. A clearing up to such an own message would cover these as well, so its row is hidden instead of
    // deleted.
    let isOwnOfEarlierEpoch = { [account = work.store.account] (row: MessageRow) in
      row.rank.isEarlier && row.sender == account
    }
    let messages = try work.rows.clearableMessages(of: id)
    // Waiting actions need the ids of their messages, so those rows stay.
    let targets = Set(try work.rows.actionTargets(in: id))
    let known = messages.filter {
      $0.status == .sent && $0.rank <= last ?? .lowest && !isOwnOfEarlierEpoch($0)
    }
    for var row in messages {
      // A deleted message that may have arrived keeps its row: the server may still send it.
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
    // An earlier clearing may have reached beyond the last stored message.
    let clearedUpTo = try work.row(of: id).clearedUpTo
    try work.changeSpans(of: id) { $0.cleared(at: clearedUpTo) }
  }

  /// Messages of a conversation up to a rank count as cleared and read when received.
  ///
  /// - Parameter time: the server's time of the last of these messages; nil if unknown.
  func clear(_ id: ConversationID, upTo rank: Rank, at time: Timestamp?) throws {
    try work.change(id) { row in
      row.clearedUpTo = max(row.clearedUpTo, rank)
      row.clearedTime = [row.clearedTime, time].compactMap(\.self).max()
      guard rank > row.readMark else { return }
      row.readMark = rank
      if work.store.capabilities.readMarks, rank > Rank(rawValue: 0) { row.pendingReadMark = rank }
    }
  }

  /// Clears a conversation and removes it from the list, until a message is received.
  func deleteConversation(_ id: ConversationID) throws {
    try clear(id)
    try work.change(id) { row in
      row.isHidden = true
      row.isPinned = false
      row.draft = nil
    }
  }
}
