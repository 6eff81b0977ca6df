import SkeinStorage

/// Replies, and what they show of what they reply to.
extension ChatTransaction {
  /// The message, if one of a conversation may reply to it.
  func repliable(_ id: LocalMessageID, in conversation: ConversationID) throws -> MessageRow {
    guard store.capabilities.replies else {
      throw ChatError(.unsupported, "The server keeps no replies.")
    }
    let row = try rows.message(id)
    if row.isHidden { throw ChatError(.messageUnknown, "This message was deleted on this device.") }
    guard row.conversation == conversation else {
      throw ChatError(.notPossibleNow, "A reply stands in the conversation of what it replies to.")
    }
    if row.isRecalledHere { throw ChatError(.notPossibleNow, "The message was recalled.") }
    return row
  }

  /// A message is the reply to another one that is here.
  func relate(_ reply: inout MessageRow, to target: MessageRow) throws {
    var row = ReplyRow(reply.id, in: reply.conversation, to: target.reference)
    row.target = target.id
    try rows.insert(row)
    reply.quote = quote(of: target).encoded
  }

  /// A message is the reply to another one by the server's word, which is listened to until that one is here.
  ///
  /// - Parameter countsAnew: whether what is stored is of an earlier epoch, whose counts of changes say nothing.
  func relate(_ message: inout MessageRow, as incoming: IncomingMessage, countsAnew: Bool = false) throws {
    guard let handed = incoming.quote, !message.isRecalled else { return }
    let known = try rows.find(ReplyRow.self, message.id)
    if known?.target != nil { return }
    try rows.upsert(ReplyRow(message.id, in: message.conversation, to: handed.message))
    var quote = StoredQuote(message: handed.message)
    if !countsAnew, let before = StoredQuote.decode(message.quote) {
      (quote.kind, quote.payload, quote.revision) = (before.kind, before.payload, before.revision)
    }
    quote.take(handed.kind, handed.payload, revision: handed.revision)
    message.quote = quote.encoded
  }

  /// What one's own message replies to, by all names that are known of it by now.
  func replyTarget(of message: LocalMessageID) throws -> MessageReference? {
    guard let reply = try rows.find(ReplyRow.self, message) else { return nil }
    return try reply.target.flatMap { try rows.find(MessageRow.self, $0)?.reference } ?? reply.reference
  }

  /// What one's own message replies to, if that is not sent yet and may still be.
  func pendingReplyTarget(of message: LocalMessageID) throws -> LocalMessageID? {
    guard let target = try rows.find(ReplyRow.self, message)?.target else { return nil }
    return try pending(target)?.id
  }

  // MARK: What is shown

  /// Has the replies to what changed in a conversation show it as it is now, and replies that came show what they reply to.
  func showQuotes(_ changed: [LocalMessageID], in id: ConversationID) throws {
    guard try rows.scalar(Int.self, "SELECT 1 FROM reply WHERE conversation = ? LIMIT 1", id) != nil else {
      return
    }
    for message in changed {
      guard let row = try rows.find(MessageRow.self, message) else { continue }
      try bind(row)
      for reply in try rows.replies(to: message) { try show(row, in: reply.message) }
      try settleReply(row)
    }
  }

  /// Replies that name a message are bound to it, once it is here.
  private func bind(_ target: MessageRow) throws {
    for var reply in try rows.unboundReplies(naming: target) where reply.message != target.id {
      reply.target = target.id
      _ = try rows.update(reply)
    }
  }

  /// Finds what a reply is to. One that was recalled or deleted is a reply no more.
  private func settleReply(_ row: MessageRow) throws {
    guard let reply = try rows.find(ReplyRow.self, row.id) else { return }
    if row.isHidden || row.isRecalled {
      _ = try rows.delete(ReplyRow.self, row.id)
      return
    }
    guard reply.target == nil else { return }
    let name = reply.reference
    if let target = try rows.message(named: name, in: row.conversation), target.id != row.id {
      var bound = reply
      bound.target = target.id
      _ = try rows.update(bound)
      return try show(target, in: row.id)
    }
    guard let server = name.serverID, var quote = StoredQuote.decode(row.quote),
      let revised = try rows.find(RevisedRow.self, row.conversation, server)
    else { return }
    quote.take(revised.kind, revised.payload, revision: revised.revision)
    try show(quote, in: row.id)
  }

  /// A message that is not here was revised: replies to it that the server handed over with it show it as it is now.
  func showQuotes(of message: IncomingMessage, as name: ServerMessageID, in id: ConversationID) throws {
    for reply in try rows.unboundReplies(naming: name, in: id) {
      guard let row = try rows.find(MessageRow.self, reply.message), var quote = StoredQuote.decode(row.quote)
      else { continue }
      quote.take(message.kind, message.payload, revision: message.revision)
      try show(quote, in: row.id)
    }
  }

  /// A message goes from this device: replies show nothing of it any more.
  func unbindReplies(to message: LocalMessageID) throws {
    for var reply in try rows.replies(to: message) {
      reply.target = nil
      _ = try rows.update(reply)
      try show(StoredQuote(message: reply.reference), in: reply.message)
    }
  }

  private func show(_ target: MessageRow, in reply: LocalMessageID) throws {
    try show(quote(of: target), in: reply)
  }

  private func show(_ quote: StoredQuote, in reply: LocalMessageID) throws {
    guard var row = try rows.find(MessageRow.self, reply), !row.isHidden, !row.isRecalled,
      StoredQuote.decode(row.quote) != quote
    else { return }
    row.quote = quote.encoded
    try update(row)
  }

  private func quote(of target: MessageRow) -> StoredQuote {
    guard !target.isHidden else { return StoredQuote(message: target.reference) }
    let (kind, payload) = target.shown(for: store.account, PendingRevisions.decode(target.pending))
    return StoredQuote(
      message: target.reference, id: target.id, kind: kind, payload: payload)
  }
}

extension ReadTransaction {
  fileprivate func replies(to message: LocalMessageID) throws -> [ReplyRow] {
    try select(ReplyRow.self, "WHERE target = ? ORDER BY message", message)
  }

  fileprivate func unboundReplies(naming target: MessageRow) throws -> [ReplyRow] {
    let byName = try select(
      ReplyRow.self,
      "WHERE conversation = ? AND sender = ? AND message_id = ? AND target IS NULL ORDER BY message",
      target.conversation, target.sender, target.messageID)
    guard let server = target.serverID else { return byName }
    // Of before, names may come up once more, for another message.
    if target.rank.isEarlier { return byName }
    return byName
      + (try unboundReplies(naming: server, in: target.conversation).filter {
        $0.sender == target.sender && ($0.messageID == nil || target.isNamedHere)
      })
  }

  fileprivate func unboundReplies(naming server: ServerMessageID, in conversation: ConversationID) throws
    -> [ReplyRow]
  {
    try select(
      ReplyRow.self, "WHERE conversation = ? AND server_id = ? AND target IS NULL ORDER BY message",
      conversation, server)
  }

  /// The message that a server names, by its sender's name for it where that is said.
  fileprivate func message(named name: MessageReference, in conversation: ConversationID) throws
    -> MessageRow?
  {
    if let id = name.messageID,
      let row = try first(
        MessageRow.self, "WHERE conversation = ? AND sender = ? AND message_id = ?", conversation,
        name.sender, id)
    {
      return row
    }
    guard let server = name.serverID,
      let row = try first(
        MessageRow.self, "WHERE conversation = ? AND server_id = ? AND sender = ?", conversation, server,
        name.sender)
    else { return nil }
    // One that its sender named otherwise is another message, and so may be one of before.
    return (name.messageID == nil || row.isNamedHere) && !row.rank.isEarlier ? row : nil
  }
}
