import SkeinStorage

/// Finds the messages of an answer that were cleared on this device.
extension Intake {
  /// Moves cleared messages before the others. A server that reorders its history may list a message that was not cleared
  /// before the last cleared one, and the message would count as cleared too.
  ///
  /// The time shows which messages were cleared in an earlier epoch. In the current epoch, an own message that waits for its
  /// receipt gets a place, so that its outcome is known.
  func clearedFirst(_ messages: [IncomingMessage], in id: ConversationID) throws -> [IncomingMessage] {
    let chat = try work.row(of: id)
    guard store.capabilities.reordersHistory, chat.clearedUpTo > .unplaced else { return messages }
    if let end = chat.clearedTimeToFind {
      return messages.filter { $0.time <= end } + messages.filter { $0.time > end }
    }
    let rows = try messages.map { try work.rows.message(like: $0, in: id) }
    guard let last = rows.lastIndex(where: { $0?.rank == chat.clearedUpTo && $0?.isPlaced == true }) else {
      return messages
    }
    let waiting = messages.indices.prefix(upTo: last).filter { index in
      rows[index].map { $0.status != .sent } ?? false
    }
    let others = messages.indices.prefix(through: last).filter { !waiting.contains($0) }
    return (others + waiting).map { messages[$0] } + messages[(last + 1)...]
  }

  /// Clears a conversation again, up to the last message that was cleared in an earlier epoch.
  func clear(_ id: ConversationID, upTo end: IntakePlan.ClearedEnd, in messages: [IncomingMessage])
    throws
  {
    try Clearing(work).clear(id, upTo: end.rank, at: end.time)
    try work.changeSpans(of: id) { $0.starts(at: end.rank) }
    if store.ordering == .arrival { try merging.keepEdge(messages[end.message], at: end.rank, in: id) }
  }
}
