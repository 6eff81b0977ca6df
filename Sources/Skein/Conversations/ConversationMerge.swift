import SkeinStorage

/// Merges two stored conversations that are the same conversation on the server.
struct ConversationMerge {
  private let work: UnitOfWork

  init(_ work: UnitOfWork) { self.work = work }

  /// Moves the messages and settings of `other` into the conversation `id`, and removes `other`. If both have messages of a
  /// server without positions, those of `other` are listed after those of `id`, with a gap between them.
  ///
  /// - Parameters:
  ///   - other: the conversation that was received by sync. This conversation is removed.
  ///   - id: the conversation that this device opened, or that `other` continues. This conversation keeps its id.
  func merge(_ other: ConversationRow, into id: ConversationID) throws {
    let (own, spans) = (try work.spans(of: id), try work.spans(of: other.id))
    // Positions of a continued conversation continue; assigned places do not.
    let shift = work.store.ordering == .arrival ? spans.shift(after: own) : 0
    let moved = try work.rows.messages(of: other.id)
    for var row in moved {
      row.conversation = id
      row.rank = row.rank.shifted(by: shift)
      if try absorb(row) { continue }
      try work.update(row)
    }
    for mark in try work.rows.members(of: other.id) {
      var own =
        try work.rows.find(MemberRow.self, id, mark.user) ?? MemberRow(conversation: id, user: mark.user)
      own.delivered = max(own.delivered, mark.delivered.shifted(by: shift))
      own.read = max(own.read, mark.read.shifted(by: shift))
      own.waitingDelivered = mark.waitingDelivered ?? own.waitingDelivered
      own.waitingRead = mark.waitingRead ?? own.waitingRead
      try work.rows.upsert(own)
    }
    try work.note(.receipts, of: id)
    try work.note(.flags, of: id)
    try work.rows.moveAttachedRows(of: other.id, to: id)
    try work.remove(other.id, mergedInto: id, moved: moved.map(\.id))
    let left = try shift > 0 ? reduced(own, in: id) : own
    try work.changeSpans(of: id) {
      $0 = left.continued(
        by: spans.shifted(by: shift), clearedUpTo: other.clearedUpTo.shifted(by: shift))
    }
    try work.change(id) { row in
      row.readMark = max(row.readMark, other.readMark.shifted(by: shift))
      row.waitingReadMark = other.waitingReadMark ?? row.waitingReadMark
      row.pendingReadMark = [row.pendingReadMark, other.pendingReadMark?.shifted(by: shift)]
        .compactMap(\.self).max()
      // If only the continuation was cleared, the messages before it stay.
      if shift == 0 {
        row.clearedUpTo = max(row.clearedUpTo, other.clearedUpTo)
        row.clearedTime = [row.clearedTime, other.clearedTime].compactMap(\.self).max()
      }
      row.mentionsInGaps += other.mentionsInGaps
      row.mergeSettings(of: other, onServer: work.store.capabilities.settings)
      row.draft = row.draft ?? other.draft
    }
    let clearedUpTo = try work.row(of: id).clearedUpTo
    try work.changeSpans(of: id) { $0 = $0.closed(upTo: clearedUpTo) }
    // If one of the two conversations is a closed group, the merged group is closed. A one-to-one chat stays
    // open, since this device has opened the chat.
    guard let ref = other.ref, other.type == .group,
      try other.isClosed || work.row(of: id).isClosed
    else { return }
    try ConversationEnds(work).close(id)
    try ContactRecords(work).noteRemoval(of: .group(ref))
  }

  /// Gives a message the place of its copy, so that the stretch of the copy stays whole.
  private func place(_ row: MessageRow, as copy: MessageRow) throws {
    var merged = row
    merged.serverID = row.serverID ?? copy.serverID
    merged.state.merge(newer: copy.state)
    let clearedUpTo = try work.row(of: row.conversation).clearedUpTo
    if work.store.ordering == .arrival, copy.isPlaced, !copy.isTimeEstimated, row.rank != clearedUpTo {
      merged.rank = copy.rank
      (merged.time, merged.isTimeEstimated) = (copy.time, false)
    }
    if merged != row { try work.update(merged) }
  }

  /// The spans without the ends whose messages have got the places of their copies.
  private func reduced(_ map: SpanMap, in id: ConversationID) throws -> SpanMap {
    let spans = try map.spans.compactMap { span -> Span? in
      // The start of a conversation that was found empty has no message.
      if span.upper.isEarlier || span.upper.rawValue == 0 { return span }
      guard let first = try work.rows.firstMessage(of: id, from: span.lower, to: span.upper)?.rank,
        let last = try work.rows.lastMessage(of: id, from: span.lower, to: span.upper)?.rank
      else { return nil }
      var span = span
      (span.lower, span.upper) = (first, last)
      return span
    }
    return SpanMap(spans: spans, syncedTo: map.syncedTo, isDense: map.isDense)
  }

  /// Deletes a moved message that is stored in its new conversation already. If only the copy was sent, the other message gets
  /// its place and its name on the server.
  ///
  /// - Returns: false if the message is not stored there.
  private func absorb(_ copy: MessageRow) throws -> Bool {
    let name = MessageReference(sender: copy.sender, messageID: copy.messageID, serverID: copy.serverID)
    guard var row = try work.rows.message(named: name, in: copy.conversation) else { return false }
    try work.rows.retarget(from: copy.id, to: row.id)
    try work.delete(try work.rows.message(copy.id))
    guard copy.status == .sent else { return true }
    if row.status == .sent {
      try place(row, as: copy)
      try PendingActionQueue(work).show(on: row.id)
      return true
    }
    (row.serverID, row.rank, row.position) = (copy.serverID, copy.rank, copy.position)
    (row.status, row.epoch) = (.sent, copy.epoch)
    (row.time, row.isTimeEstimated) = (copy.time, copy.isTimeEstimated)
    row.failure = nil
    row.state.merge(newer: copy.state)
    try work.update(row)
    work.noteEnd(of: row, as: .sent)
    try MessageEnds(work).endSending(of: row)
    try PendingActionQueue(work).show(on: row.id)
    return true
  }
}
