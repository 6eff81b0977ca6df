import SkeinStorage

/// Replies: their targets, and the quotes they show.
struct Replies {
  private let work: UnitOfWork

  init(_ work: UnitOfWork) { self.work = work }

  /// Returns the message to reply to; throws ``ChatError`` if a reply in this conversation is not possible.
  func repliable(_ id: LocalMessageID, in conversation: ConversationID) throws -> MessageRow {
    guard work.store.capabilities.replies else {
      throw ChatError(.unsupported, "The server stores no replies.")
    }
    let row = try work.rows.message(id)
    if row.isHidden { throw ChatError(.messageUnknown, "This message was deleted on this device.") }
    guard row.conversation == conversation else {
      throw ChatError(.notPossibleNow, "A reply must be in the conversation of its target.")
    }
    if row.isRecalledHere { throw ChatError(.notPossibleNow, "The message was recalled.") }
    return row
  }

  /// Makes a message a reply to a stored message.
  func relate(_ reply: inout MessageRow, to target: MessageRow) throws {
    var row = ReplyRow(reply.id, in: reply.conversation, to: target.reference)
    row.target = target.id
    try work.rows.insert(row)
    reply.quote = quote(of: target).encoded
  }

  /// Makes a received message a reply to the target that the server returned with it. The server's quote is
  /// shown until the target is stored. Does nothing if the message is no reply or was recalled, or if the
  /// reply is already bound to a stored target.
  ///
  /// - Parameter isOfNewEpoch: whether the stored row is of an earlier epoch. In that case the revision of
  ///   the row's quote can't be compared.
  func relate(_ message: inout MessageRow, as incoming: IncomingMessage, isOfNewEpoch: Bool = false) throws {
    guard let received = incoming.quote, !message.isRecalled else { return }
    let known = try work.rows.find(ReplyRow.self, message.id)
    if known?.target != nil { return }
    try work.rows.upsert(ReplyRow(message.id, in: message.conversation, to: received.message))
    var quote = StoredQuote(message: received.message)
    if !isOfNewEpoch, let before = StoredQuote.decode(message.quote) {
      (quote.kind, quote.payload, quote.revision) = (before.kind, before.payload, before.revision)
    }
    quote.merge(received.kind, received.payload, revision: received.revision)
    message.quote = quote.encoded
  }

  /// The target of a reply, with all known ids of the target; nil if the message is no reply.
  func target(of message: LocalMessageID) throws -> MessageReference? {
    guard let reply = try work.rows.find(ReplyRow.self, message) else { return nil }
    return try reply.target.flatMap { try work.rows.find(MessageRow.self, $0)?.reference } ?? reply.reference
  }

  /// The target of a reply, if the target is still to be sent; nil otherwise.
  ///
  /// - Throws: ``ChatError`` if the target failed or is uncertain.
  func pendingTarget(of message: LocalMessageID) throws -> LocalMessageID? {
    guard let target = try work.rows.find(ReplyRow.self, message)?.target else { return nil }
    return try MessageEnds(work).pendingMessage(target)?.id
  }

  /// Makes the failed replies to an own message that the server will not get ordinary messages, which can be retried. An
  /// attempt at any other reply may have reached the server.
  func release(from target: LocalMessageID) throws {
    for reply in try work.rows.replies(to: target) {
      guard var row = try work.rows.find(MessageRow.self, reply.message), row.status == .failed else {
        continue
      }
      _ = try work.rows.delete(ReplyRow.self, reply.message)
      row.quote = nil
      try work.update(row)
    }
  }

  // MARK: Quotes

  /// Updates the quotes in the replies to a message. If the message itself is a reply and its target was not
  /// stored so far, updates the message's own quote too. If the message is gone, the quotes in the replies
  /// lose their content.
  func showQuotes(for message: LocalMessageID) throws {
    guard let row = try work.rows.find(MessageRow.self, message) else { return try unbind(from: message) }
    try bind(row)
    for reply in try work.rows.replies(to: message) {
      try storeServerID(of: row, in: reply)
      try show(quote(of: row), in: reply.message)
    }
    try resolve(row)
  }

  /// Updates the quotes of a changed message in the replies to the message that have no stored target.
  func showQuotes(of message: IncomingMessage, as name: ServerMessageID, in id: ConversationID) throws {
    for reply in try work.rows.unboundReplies(naming: name, in: id) {
      guard let row = try work.rows.find(MessageRow.self, reply.message),
        var quote = StoredQuote.decode(row.quote)
      else { continue }
      quote.merge(message.kind, message.payload, revision: message.revision)
      try show(quote, in: row.id)
    }
  }

  /// Makes a message the stored target of the replies that so far refer to it only by its ids.
  private func bind(_ target: MessageRow) throws {
    for var reply in try work.rows.unboundReplies(naming: target) where reply.message != target.id {
      reply.target = target.id
      _ = try work.rows.update(reply)
    }
  }

  /// Stores the server id that the target of a reply has got. The target's row may be removed before the reply is sent.
  private func storeServerID(of target: MessageRow, in reply: ReplyRow) throws {
    guard let known = target.serverID, known != reply.serverID, !target.rank.isEarlier else { return }
    var named = ReplyRow(reply.message, in: reply.conversation, to: target.reference)
    named.target = target.id
    try work.rows.upsert(named)
  }

  /// Unbinds the replies to a message that was removed from this device. The quotes in these replies lose
  /// their content.
  private func unbind(from message: LocalMessageID) throws {
    for var reply in try work.rows.replies(to: message) {
      reply.target = nil
      _ = try work.rows.update(reply)
      try show(StoredQuote(message: reply.reference), in: reply.message)
    }
  }

  /// Binds a reply to its target, if the target is stored, and updates the quote. If the target is not
  /// stored, but its state is kept in ``AbsentMessages``, updates only the quote. Does nothing if the message
  /// is no reply or is already bound. A reply that was recalled or deleted loses its target.
  private func resolve(_ row: MessageRow) throws {
    guard let reply = try work.rows.find(ReplyRow.self, row.id) else { return }
    if row.isHidden || row.isRecalled {
      _ = try work.rows.delete(ReplyRow.self, row.id)
      return
    }
    guard reply.target == nil else { return }
    let name = reply.reference
    if let target = try work.rows.message(named: name, in: row.conversation), target.id != row.id {
      var bound = reply
      bound.target = target.id
      _ = try work.rows.update(bound)
      return try show(quote(of: target), in: row.id)
    }
    guard let server = name.serverID, var quote = StoredQuote.decode(row.quote),
      let absent = try work.rows.find(AbsentMessageRow.self, row.conversation, server)
    else { return }
    quote.merge(absent.kind, absent.payload, revision: absent.revision)
    try show(quote, in: row.id)
  }

  private func show(_ quote: StoredQuote, in reply: LocalMessageID) throws {
    guard var row = try work.rows.find(MessageRow.self, reply), !row.isHidden, !row.isRecalled,
      StoredQuote.decode(row.quote) != quote
    else { return }
    row.quote = quote.encoded
    try work.update(row)
  }

  private func quote(of target: MessageRow) -> StoredQuote {
    guard !target.isHidden else { return StoredQuote(message: target.reference) }
    let (kind, payload) = target.shown(for: work.store.account, PendingActions.decode(target.pending))
    return StoredQuote(
      message: target.reference, id: target.id, kind: kind, payload: payload)
  }
}

/// Keeps the quotes of replies up to date when the quoted messages change.
struct Quotes: Derivation {
  func derive(in work: UnitOfWork) throws {
    let replies = Replies(work)
    for touched in work.touchedConversations where try work.rows.hasReplies(in: touched.id) {
      for message in touched.changedMessages { try replies.showQuotes(for: message) }
    }
  }
}
