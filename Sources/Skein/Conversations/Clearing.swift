import SkeinStorage

/// Deletes messages and conversations on this device, but not on the server.
struct Clearing {
  /// The number of messages before the end of a clearing that a page of a server that reorders its history may list after it.
  private static let keptBeforeEnd = 20
  private let work: UnitOfWork
  private let pending: PendingActionQueue

  init(_ work: UnitOfWork) {
    self.work = work
    pending = PendingActionQueue(work)
  }

  /// Deletes messages for good. A message that waits to be sent is cancelled.
  ///
  /// If the server has a message, or may have it, the message's row stays without content. A later sync then
  /// does not store the message again.
  ///
  /// - Returns: the message ids of the messages whose rows were removed. The server can't have these
  ///   messages.
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
      try AbsentMessages(work).forget(row)
    }
    return gone
  }

  /// Deletes the messages of a conversation on this device, for good. Messages that wait to be sent stay.
  ///
  /// The server may accept an own message while older messages are not stored here yet. The older messages
  /// are not cleared, and the own message stays as a hidden row.
  ///
  /// If the server stores read marks, cleared messages of the current epoch are marked as read on the server
  /// too, so that the server no longer counts these messages as unread.
  func clear(_ id: ConversationID) throws {
    let spans = try work.spans(of: id)
    let last = try spans.newest.flatMap {
      try work.rows.lastAcknowledged(in: id, upTo: $0.upper)
    }
    // An own message of an earlier epoch may be newer than server messages that were not received yet. If the
    // clearing ended at the time of the own message, the missing messages would be cleared too. The own
    // message is therefore hidden, not deleted.
    let isOwnOfEarlierEpoch = { [account = work.store.account] (row: MessageRow) in
      row.rank.isEarlier && row.sender == account
    }
    let messages = try work.rows.clearableMessages(of: id)
    // The row of a sent message with waiting actions stays, since the actions need the message's ids.
    let targets = Set(try work.rows.actionTargets(in: id))
    let known = messages.filter {
      $0.status == .sent && $0.rank <= last ?? .lowest && !isOwnOfEarlierEpoch($0)
    }
    let kept = work.store.capabilities.reordersHistory ? Self.keptBeforeEnd : 0
    let nearEnd = known.map(\.rank).sorted().suffix(kept).first
    for var row in messages {
      // If the server has no positions, only a stored message can mark the end of the clearing. The place of a message in a
      // gap is a guess: a page may list it after that end as well.
      let isEdge = work.store.ordering == .arrival && row.isPlaced && row.rank == last
      let isInGap = work.store.ordering == .arrival && row.isPlaced && spans.span(containing: row.rank) == nil
      let isNearEnd = row.status == .sent && nearEnd.map { $0 <= row.rank } ?? false
      if row.status != .sent { try pending.drop(on: &row) }
      // The row of a message that may have arrived is kept, since a sync may return the message later.
      let mayArrive = row.status == .uncertain
      let isNeeded =
        isEdge || isInGap || isNearEnd || mayArrive || row.status == .sent && targets.contains(row.id)
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
    try work.change(id) { $0.mentionsInGaps = 0 }
    // An earlier clearing may end above the last stored message.
    let clearedUpTo = try work.row(of: id).clearedUpTo
    try work.changeSpans(of: id) { spans in
      // A page was ahead of the syncs. Without positions, the next one would seem to continue after the cleared messages.
      let isBehind = work.store.ordering == .arrival && spans.syncedTo.map { $0 < clearedUpTo } ?? false
      spans.cleared(at: clearedUpTo)
      if isBehind { spans.syncedNothing() }
    }
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

  /// Clears a conversation, and removes the conversation from the list. The conversation is listed again as
  /// soon as it has a visible message: a later message, or a message that the clearing did not remove.
  func deleteConversation(_ id: ConversationID) throws {
    try clear(id)
    try work.change(id) { row in
      row.isHidden = true
      row.resetSettings(onServer: work.store.capabilities.settings)
      row.draft = nil
    }
  }
}
