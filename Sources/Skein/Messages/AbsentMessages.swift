import SkeinStorage

/// The states of messages that were changed on the server, but whose rows can't be updated yet. Either there is no
/// row, for example in a gap, or the row is not known to be sent, or the row is of an earlier epoch. A state is kept until its
/// message is received or is known to be sent. A clearing, a purge, a new epoch and a dropped cursor also
/// remove states.
struct AbsentMessages {
  private let work: UnitOfWork

  init(_ work: UnitOfWork) { self.work = work }

  /// Applies the current states of messages that were changed on the server.
  ///
  /// A state is kept for later if its message is not stored here, is not known to be sent, or is of an
  /// earlier epoch. States without a server id are not kept, nor those of messages deleted here. The state of a
  /// cleared message is kept only if the message is shown here and not known to be sent.
  func apply(_ changed: [IncomingMessage], in id: ConversationID) throws {
    guard !changed.isEmpty else { return }
    let conversation = try work.row(of: id)
    for message in changed {
      let known = try work.rows.message(like: message, in: id)
      if let known, known.status == .sent, !known.rank.isEarlier {
        try remove(message.serverID, in: id)
        try MessageMerge(work).merge(changed: message, into: known)
      } else if let name = message.serverID {
        // A message that waits to be sent stays after a clearing, and needs its state once its receipt arrives.
        let isWaiting = known.map { $0.status != .sent } ?? false
        if known?.isHidden == true {
          try remove(name, in: id)
        } else if isWaiting || !isCleared(message, in: conversation) {
          try keep(message, as: name, in: id)
        }
        try Replies(work).showQuotes(of: message, as: name, in: id)
      }
    }
  }

  /// Applies the state of a received message that gets no rank. The message may be stored already. Does
  /// nothing in each of these cases:
  ///
  /// - The message was never changed.
  /// - The message has no server id.
  /// - A state of the same or a higher revision is kept, and the message is not recalled.
  func keepIfChanged(_ message: IncomingMessage, in id: ConversationID) throws {
    guard message.revision > 0, let name = message.serverID,
      try message.kind == RecalledContent.kind
        || work.rows.find(AbsentMessageRow.self, id, name)?.revision ?? 0 < message.revision
    else { return }
    try apply([message], in: id)
  }

  /// Keeps the state of a message, unless a newer one is kept. If the server omits the reactions, those of the kept state
  /// stay.
  private func keep(_ message: IncomingMessage, as name: ServerMessageID, in id: ConversationID) throws {
    let kept = try work.rows.find(AbsentMessageRow.self, id, name)?.state
    var message = message
    if let kept {
      if kept.isNewer(than: MessageState(message)) { return }
      message.revision = max(kept.revision, message.revision)
    }
    try work.rows.upsert(AbsentMessageRow(message, was: kept, as: name, in: id))
    try work.note(.flags, of: id)
  }

  /// Whether a message was cleared. This is decided by the message's position. If the message has no
  /// position, or the clearing was in an earlier epoch, it is decided by the message's time.
  private func isCleared(_ message: IncomingMessage, in row: ConversationRow) -> Bool {
    if let rank = work.store.rank(message.position), !row.clearedUpTo.isEarlier {
      return rank <= row.clearedUpTo
    }
    return row.clearedTime.map { message.time <= $0 } ?? false
  }

  /// Removes the kept state of a message that was deleted here. An epoch change removes the server ids of stored
  /// messages, but not their message ids.
  func forget(_ row: MessageRow) throws {
    try work.rows.forgetAbsentMessage(row)
    try work.note(.flags, of: row.conversation)
  }

  /// Removes and returns the kept state of a message, because the message was received or is known to be
  /// sent. Nil if no state is kept.
  @discardableResult
  func remove(_ name: ServerMessageID?, in id: ConversationID) throws -> MessageState? {
    guard let name, let row = try work.rows.find(AbsentMessageRow.self, id, name) else { return nil }
    _ = try work.rows.delete(AbsentMessageRow.self, id, name)
    try work.note(.flags, of: id)
    return row.state
  }
}
