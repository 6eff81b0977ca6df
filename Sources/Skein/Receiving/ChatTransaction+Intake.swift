import SkeinStorage

extension ChatTransaction {
  /// Takes in what happened between two cursors; false where it does not go on from the stored one.
  func take(_ batch: SyncBatch) throws -> Bool {
    guard batch.from == account.cursor else { return false }
    if let epoch = batch.epoch { try enter(epoch) }
    for delta in batch.conversations { try take(delta, isFirstSync: batch.from == nil) }
    account.cursor = batch.next
    noteClock()
    return true
  }

  /// Keeps what the server's clock says for the next start, which may be offline; a second more or less is not worth a write.
  private func noteClock() {
    let offset = store.clock.offset
    if abs(offset - account.clockOffset) > 1000 { account.clockOffset = offset }
  }

  private func take(_ delta: ConversationDelta, isFirstSync: Bool) throws {
    let id = try conversation(for: delta.info)
    let taken = try take(delta.messages, in: id)
    guard let first = taken.first, let last = taken.last else {
      if delta.count <= 0 {
        try countUnread(delta, in: id)
      } else if delta.messages.isEmpty {
        try changeSpans(of: id) { $0.syncedNothing() }
      }
      return
    }
    let missing = max(delta.count.held(to: Self.countable) - delta.messages.count, 0)
    let reachesStart = missing == 0 && (isFirstSync || isDenseStart(delta.messages.first))
    try changeSpans(of: id) { spans in
      spans.synced(
        first: first, last: last, isComplete: missing == 0, reachesStart: reachesStart,
        token: delta.previous, unreadBelow: missing == 0 ? nil : missing)
    }
    try countUnread(delta, in: id)
  }

  /// What the server counts as unread and is not stored lies in the gaps.
  private func countUnread(_ delta: ConversationDelta, in id: ConversationID) throws {
    guard let unread = delta.unread else { return }
    let row = try conversation(id)
    // The server counts from the mark it knows, which may be behind this device's own.
    let mark =
      delta.info.readPosition.map { Rank($0) } ?? (row.pendingReadMark == nil ? row.readMark : .lowest)
    let stored = try rows.countedMessages(in: id, after: mark)
    try changeSpans(of: id) { $0.countUnread(inGaps: max(unread.held(to: Self.countable) - stored, 0)) }
  }

  /// What a server may say of counts without being taken for mad.
  private static var countable: ClosedRange<Int> { 0...1_000_000_000 }

  private func isDenseStart(_ message: IncomingMessage?) -> Bool {
    store.ordering == .dense && message?.position == Position(rawValue: 1)
  }

  /// Takes in a page from just below the first message of a span; false where it tells nothing that was not known.
  func take(_ page: HistoryPage, below edge: Rank, in id: ConversationID) throws -> Bool {
    // The chat was cleared while the page was on its way.
    guard try edge > conversation(id).floor else { return true }
    return try take(page, in: id, where: { $0 < edge }) { stretch, isDense in
      // Where positions are dense it shows whether the page reaches up to the edge.
      guard let stretch else { return edge...edge }
      let hasHole = isDense && stretch.upperBound.successor < edge
      return stretch.lowerBound...(hasHole ? stretch.upperBound : edge)
    }
  }

  /// Takes in a page from just above the last message of a span; false where it tells nothing that was not known.
  func take(_ page: HistoryPage, above edge: Rank, in id: ConversationID) throws -> Bool {
    guard try edge >= conversation(id).floor else { return true }
    return try take(page, in: id, where: { $0 > edge }) { stretch, isDense in
      guard let stretch else { return nil }
      // A page that starts the server's history, above a message that is here, does not go on from it.
      let hasHole = isDense ? edge.successor < stretch.lowerBound : page.reachesStart && edge.rawValue > 0
      return (hasHole ? stretch.lowerBound : edge)...stretch.upperBound
    }
  }

  /// Takes in a page that stands by itself: the newest messages, or those around a place.
  @discardableResult
  func take(_ page: HistoryPage, in id: ConversationID) throws -> Bool {
    guard page.messages.isEmpty else {
      return try take(page, in: id, where: { _ in true }) { stretch, _ in stretch }
    }
    if page.reachesStart { try changeSpans(of: id) { $0.foundEmpty() } }
    return page.reachesStart
  }

  /// - Parameter extent: between what the page is complete, by where its first and last messages stand.
  private func take(
    _ page: HistoryPage, in id: ConversationID, where isMeant: (Rank) -> Bool,
    extent: (ClosedRange<Rank>?, _ isDense: Bool) -> ClosedRange<Rank>?
  ) throws -> Bool {
    let row = try conversation(id)
    let known = try spans(of: id).extents
    let before = try rows.countedMessages(in: id, after: row.readMark)
    let messages = page.messages.filter { $0.position.map { isMeant(Rank($0)) } ?? true }
    try take(messages, in: id)
    let new = try rows.countedMessages(in: id, after: row.readMark) - before
    // What was cleared is left out: a page reaches down to it.
    let ranks = messages.compactMap(\.position).map { max(Rank($0), row.floor) }
    let stretch = ranks.min().flatMap { first in ranks.max().map { first...$0 } }
    guard stretch != nil || page.reachesStart, let extent = extent(stretch, store.ordering == .dense) else {
      return false
    }
    try changeSpans(of: id) { spans in
      spans.paged(
        first: extent.lowerBound, last: extent.upperBound, reachesStart: page.reachesStart,
        token: page.previous, unread: new)
    }
    return try spans(of: id).extents != known
  }

  /// Stores the messages that are new, merges the rest, and says where they stand, ascending.
  @discardableResult
  private func take(_ messages: [IncomingMessage], in id: ConversationID) throws -> [Rank] {
    let floor = try conversation(id).floor
    return try messages.compactMap { message in
      guard let position = message.position else {
        throw BackendError(.transient, "The server handed over a message without a position.")
      }
      guard Rank(position) > floor else { return nil }
      try take(message, at: position, in: id)
      return Rank(position)
    }
    .sorted()
  }

  private func take(_ message: IncomingMessage, at position: Position, in id: ConversationID) throws {
    guard let known = try rows.message(like: message, in: id) else {
      return try insert(row(for: message, at: position, in: id))
    }
    try merge(message, at: position, into: known)
  }

  /// A message by the server's word replaces its own echo, and an older revision of itself, and nothing else.
  func merge(_ message: IncomingMessage, at position: Position, into known: MessageRow) throws {
    guard known.status != .sent || known.revision < message.revision || known.position != position else {
      return
    }
    var row = known
    row.rank = Rank(position)
    row.position = position
    row.epoch = account.epoch
    row.serverID = message.serverID ?? row.serverID
    row.time = message.time
    row.status = .sent
    row.failure = nil
    row.revision = max(row.revision, message.revision)
    row.kind = message.kind
    row.payload = message.payload
    if let parameters = message.parameters { row.parameters = StoredParameters.encode(parameters) }
    try absorbTwin(of: &row)
    try update(row)
    if known.status != .sent { noteEnd(of: row, as: .sent) }
    try settle(row)
  }

  /// Where the server's name for a message stands in another row, both are one message: the one that keeps its row is
  /// the echo, which lists show already. A row that its sender named otherwise is another message, and keeps the name.
  func absorbTwin(of row: inout MessageRow) throws {
    guard let server = row.serverID,
      let twin = try rows.first(
        MessageRow.self, "WHERE conversation = ? AND server_id = ? AND id <> ?", row.conversation, server,
        row.id)
    else { return }
    if twin.sender == row.sender, twin.isNamedHere { return try delete(twin) }
    row.serverID = nil
  }

  private func row(for message: IncomingMessage, at position: Position, in id: ConversationID) -> MessageRow {
    let local = makeMessageID()
    let isOwn = message.sender == store.account
    return MessageRow(
      id: local, conversation: id, rank: Rank(position), serverID: message.serverID,
      messageID: message.messageID ?? MessageRow.name(givenTo: local), sender: message.sender,
      position: position, epoch: account.epoch, time: message.time, status: .sent, kind: message.kind,
      payload: message.payload, revision: message.revision, version: nextVersion,
      isCounted: !isOwn && store.kinds.isCountable(message.kind), failureCode: nil, failureMessage: nil,
      parameters: StoredParameters.encode(message.parameters ?? [:]))
  }

  /// A new life of the server's history is refused as long as nothing can follow it: what is stored stays as it is.
  private func enter(_ epoch: Epoch) throws {
    if let known = account.epoch, known != epoch {
      throw BackendError(.permanent, "The server has started a new history; this version can't follow it.")
    }
    account.epoch = epoch
  }
}

extension ReadTransaction {
  /// The row of a message that is known by the server's name for it or by its sender's.
  func message(like message: IncomingMessage, in conversation: ConversationID) throws -> MessageRow? {
    if let id = message.messageID {
      let row = try first(
        MessageRow.self, "WHERE conversation = ? AND sender = ? AND message_id = ?", conversation,
        message.sender, id)
      if let row { return row }
    }
    guard let server = message.serverID else { return nil }
    return try first(
      MessageRow.self, "WHERE conversation = ? AND server_id = ?", conversation, server)
  }

  /// How many stored messages after a mark the server counts as unread, those deleted here among them.
  func countedMessages(in conversation: ConversationID, after mark: Rank) throws -> Int {
    try scalar(
      Int.self, "SELECT count(*) FROM message WHERE conversation = ? AND is_counted = 1 AND rank > ?",
      conversation, mark) ?? 0
  }

  /// The same, without those deleted here.
  func unreadMessages(in conversation: ConversationID, after mark: Rank) throws -> Int {
    try scalar(
      Int.self,
      """
      SELECT count(*) FROM message WHERE conversation = ? AND is_counted = 1 AND rank > ? AND is_hidden = 0
      """, conversation, mark) ?? 0
  }
}
