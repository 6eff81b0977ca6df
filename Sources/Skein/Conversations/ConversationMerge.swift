import SkeinStorage

/// Merges two stored conversations that are the same conversation on the server.
struct ConversationMerge {
  private let work: UnitOfWork

  init(_ work: UnitOfWork) { self.work = work }

  /// Moves the messages and settings of `other` into the conversation `id`, and removes `other`.
  ///
  /// - Parameters:
  ///   - other: the conversation that was received by sync. This conversation is removed.
  ///   - id: the conversation that this device opened. This conversation keeps its id.
  func merge(_ other: ConversationRow, into id: ConversationID) throws {
    let spans = try work.spans(of: other.id)
    let moved = try work.rows.messages(of: other.id)
    for var row in moved {
      row.conversation = id
      try work.update(row)
    }
    for mark in try work.rows.members(of: other.id) {
      guard var own = try work.rows.find(MemberRow.self, id, mark.user) else { continue }
      (own.delivered, own.read) = (max(own.delivered, mark.delivered), max(own.read, mark.read))
      own.waitingDelivered = mark.waitingDelivered ?? own.waitingDelivered
      own.waitingRead = mark.waitingRead ?? own.waitingRead
      try work.rows.upsert(own)
    }
    try work.note(.receipts, of: id)
    try work.note(.flags, of: id)
    try work.rows.moveAttachedRows(of: other.id, to: id)
    try work.remove(other.id, mergedInto: id, moved: moved.map(\.id))
    try work.changeSpans(of: id) { $0 = spans.above($0) }
    try work.change(id) { row in
      row.readMark = max(row.readMark, other.readMark)
      row.waitingReadMark = other.waitingReadMark ?? row.waitingReadMark
      row.pendingReadMark = [row.pendingReadMark, other.pendingReadMark].compactMap(\.self).max()
      row.clearedUpTo = max(row.clearedUpTo, other.clearedUpTo)
      row.clearedTime = [row.clearedTime, other.clearedTime].compactMap(\.self).max()
      row.mentionsInGaps += other.mentionsInGaps
      row.mergeSettings(of: other, onServer: work.store.capabilities.settings)
      row.draft = row.draft ?? other.draft
    }
    // If one of the two conversations is a closed group, the merged group is closed. A one-to-one chat stays
    // open, since this device has opened the chat.
    guard let ref = other.ref, other.type == .group,
      try other.isClosed || work.row(of: id).isClosed
    else { return }
    try ConversationEnds(work).close(id)
    try ContactRecords(work).noteRemoval(of: .group(ref))
  }
}
