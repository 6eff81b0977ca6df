import SkeinStorage

/// One transaction on an account's database; it keeps what belongs together together, and notes what changed.
///
/// Whatever is done to messages, spans and read marks, ``finish()`` derives the rest from what is then stored: each
/// touched conversation's preview, place in the list and unread count. So they can't drift.
final class ChatTransaction {
  let rows: WriteTransaction
  let store: ChatStore
  var account: AccountRow
  private let accountAtStart: AccountRow
  private var touched: [Touched] = []
  private var places: [ConversationID: Int] = [:]
  /// What the outbox hears of.
  var queued: [OperationRow] = []
  var ended: [OperationID] = []
  var contactChanges = ContactChanges()
  /// What the participants hear of.
  private(set) var sendEnds: [SendEnd] = []

  private struct Touched {
    var row: ConversationRow
    let rowAtStart: ConversationRow?
    var spans: SpanMap
    let spansAtStart: SpanMap
    var messages: [LocalMessageID: MessageRow] = [:]
    var messageOrder: [LocalMessageID] = []
    var deleted: [LocalMessageID] = []
    var mergedInto: ConversationID?
    var hasMoved = false
    var hasReceiptsOrPins = false
    var arrived: [LocalMessageID] = []
  }

  init(_ rows: WriteTransaction, _ store: ChatStore) throws {
    guard let account = try rows.account() else {
      throw ChatError(.foreignDatabase, "The database in this folder has no account.")
    }
    self.rows = rows
    self.store = store
    self.account = account
    accountAtStart = account
  }

  // MARK: Conversations

  /// The conversation as it stands in this transaction.
  func conversation(_ id: ConversationID) throws -> ConversationRow {
    try touched[touch(id)].row
  }

  func spans(of id: ConversationID) throws -> SpanMap { try touched[touch(id)].spans }

  func change(_ id: ConversationID, _ body: (inout ConversationRow) throws -> Void) throws {
    let index = try touch(id)
    try body(&touched[index].row)
  }

  func changeSpans(of id: ConversationID, _ body: (inout SpanMap) throws -> Void) throws {
    let index = try touch(id)
    try body(&touched[index].spans)
  }

  func insert(_ row: ConversationRow) throws {
    try rows.insert(row)
    let spans = SpanMap(isDense: store.ordering == .dense)
    add(Touched(row: row, rowAtStart: nil, spans: spans, spansAtStart: spans))
  }

  /// Takes a conversation out that turned out to be another one; its messages have gone there before.
  func remove(_ id: ConversationID, mergedInto target: ConversationID, moved: [LocalMessageID]) throws {
    let place = try touch(id)
    touched[place].mergedInto = target
    touched[place].deleted = moved
    _ = try rows.delete(ConversationRow.self, id)
    try rows.upsert(MergedRow(conversation: id, target: target, version: nextVersion))
  }

  func makeConversationID() -> ConversationID {
    defer { account.nextConversation += 1 }
    return ConversationID(rawValue: account.nextConversation)
  }

  private func touch(_ id: ConversationID) throws -> Int {
    if let place = places[id] { return place }
    guard let row = try rows.find(ConversationRow.self, id) else {
      throw ChatError(.conversationUnknown, "There is no such conversation in this database.")
    }
    let spans = try rows.spans(of: row, isDense: store.ordering == .dense)
    return add(Touched(row: row, rowAtStart: row, spans: spans, spansAtStart: spans))
  }

  @discardableResult
  private func add(_ new: Touched) -> Int {
    places[new.row.id] = touched.count
    touched.append(new)
    return touched.count - 1
  }

  // MARK: Messages

  func makeMessageID() -> LocalMessageID {
    defer { account.nextMessage += 1 }
    return LocalMessageID(rawValue: account.nextMessage)
  }

  /// The next value of a row's `version`: rises from transaction to transaction.
  var nextVersion: Int64 { accountAtStart.version + 1 }

  func insert(_ row: MessageRow) throws {
    var row = row
    try index(&row, was: nil)
    try rows.insert(row)
    if row.isPinnedHere { try noteReceiptsOrPins(of: row.conversation) }
    try note(row)
  }

  /// Stores a row's new values under the next version.
  func update(_ row: MessageRow) throws {
    var row = row
    row.version = nextVersion
    if row.isHidden { row.forgetContent() }
    guard let known = try rows.find(MessageRow.self, row.id) else {
      throw ChatError(.messageUnknown, "There is no such message in this database.")
    }
    try index(&row, was: known)
    _ = try rows.update(row)
    if known.isPinnedHere || row.isPinnedHere { try noteReceiptsOrPins(of: row.conversation) }
    try note(row)
  }

  func delete(_ row: MessageRow) throws {
    guard let known = try rows.find(MessageRow.self, row.id) else { return }
    try removeFromIndex(known)
    _ = try rows.delete(MessageRow.self, row.id)
    _ = try rows.delete(ReplyRow.self, row.id)
    try unbindReplies(to: row.id)
    if known.isPinnedHere { try noteReceiptsOrPins(of: row.conversation) }
    let index = try touch(row.conversation)
    touched[index].messages[row.id] = nil
    touched[index].deleted.append(row.id)
  }

  /// Has lists read a conversation anew: the places of all its messages may have changed.
  func noteMove(of id: ConversationID) throws {
    let index = try touch(id)
    touched[index].hasMoved = true
  }

  /// A message has just come that was not known: people are told of it, if it counts.
  func noteArrival(of row: MessageRow) throws {
    let index = try touch(row.conversation)
    touched[index].arrived.append(row.id)
  }

  /// Has lists look at how far the others are, and at what is pinned.
  func noteReceiptsOrPins(of id: ConversationID) throws {
    let index = try touch(id)
    touched[index].hasReceiptsOrPins = true
  }

  /// The sending of a message has ended, with the row as it was stored last.
  func noteEnd(of row: MessageRow, as state: SendState) {
    var row = row
    row.version = nextVersion
    sendEnds.append(SendEnd(row: row, state: state))
  }

  /// Has lists look at a row.
  func note(_ row: MessageRow) throws {
    let index = try touch(row.conversation)
    if row.isHidden {
      touched[index].messages[row.id] = nil
      touched[index].deleted.append(row.id)
      return
    }
    if touched[index].messages.updateValue(row, forKey: row.id) == nil {
      touched[index].messageOrder.append(row.id)
    }
  }

  // MARK: Finishing

  /// Derives what follows from the changes, stores it, and says what changed.
  func finish() throws -> StoreChanges {
    var changes = StoreChanges()
    for part in touched where part.mergedInto == nil && part.spans.spans != part.spansAtStart.spans {
      try settleEarlier(in: part.row.id)
    }
    for part in touched where part.mergedInto == nil && !(part.messages.isEmpty && part.deleted.isEmpty) {
      try placeFailed(in: part.row.id)
    }
    for part in touched where part.mergedInto == nil {
      try showQuotes(part.messageOrder + part.deleted, in: part.row.id)
    }
    for index in touched.indices {
      if let part = try finish(&touched[index]) { changes.parts.append(part) }
    }
    changes.queued = queued
    changes.ended = ended
    changes.sendEnds = sendEnds
    changes.contacts = contactChanges
    if !changes.isEmpty { account.version = nextVersion }
    changes.version = account.version
    if account != accountAtStart { _ = try rows.update(account) }
    return changes
  }

  private func finish(_ touched: inout Touched) throws -> StoreChanges.Part? {
    let id = touched.row.id
    if let target = touched.mergedInto {
      return StoreChanges.Part(conversation: id, deleted: touched.deleted, mergedInto: target)
    }
    let last = try rows.lastMessage(of: id)
    touched.row.lastMessage = last?.id
    if let last {
      touched.row.lastActivity = last.time
      touched.row.isHidden = false
    }
    touched.spans.read(upTo: touched.row.readMark)
    try countUnread(&touched)
    touched.row.syncedTo = touched.spans.syncedTo

    var part = StoreChanges.Part(conversation: id)
    part.messages = touched.messageOrder.compactMap { touched.messages[$0] }
    part.deleted = touched.deleted
    part.stored = try rows.storedMessages(of: id, upTo: last)
    if touched.spans.spans != touched.spansAtStart.spans {
      try store(touched.spans, of: id)
      part.spans = touched.spans
    }
    let rowChanged = touched.row != touched.rowAtStart
    part.isUntold = touched.hasMoved
    part.hasReceiptsOrPins = touched.hasReceiptsOrPins
    part.arrived = touched.arrived.filter { id in
      touched.messages[id].map { $0.isCounted && $0.rank > touched.row.readMark } ?? false
    }
    let isUnchanged =
      !rowChanged && !touched.hasMoved && !touched.hasReceiptsOrPins && part.messages.isEmpty
      && part.deleted.isEmpty
      && part.spans == nil
    if !isUnchanged {
      touched.row.version = nextVersion
      _ = try rows.update(touched.row)
    }
    if rowChanged || part.messages.contains(where: { $0.id == last?.id }) {
      let message = last?.message(for: store.account, kinds: store.kinds)
      part.value = touched.row.conversation(lastMessage: message)
    }
    part.isListed = touched.row.isListed
    part.hasPendingReadMark = touched.row.pendingReadMark != nil
    return isUnchanged ? nil : part
  }

  /// Unread is what is stored and counts after the read mark, and what the gaps are known to hold.
  private func countUnread(_ touched: inout Touched) throws {
    guard !touched.row.isClosed else {
      touched.row.unreadCount = 0
      touched.row.unreadIsAtLeast = false
      touched.row.unreadMentions = 0
      return
    }
    let stored = try rows.unreadMessages(in: touched.row.id, after: touched.row.readMark)
    let inGaps = touched.spans.unreadInGaps
    touched.row.unreadCount = stored + inGaps.count
    touched.row.unreadIsAtLeast = !inGaps.isExact
    // Whoever is called is called by a message that counts.
    if inGaps.isExact { touched.row.mentionsInGaps = min(touched.row.mentionsInGaps, inGaps.count) }
    touched.row.unreadMentions =
      try rows.unreadMentions(in: touched.row.id, after: touched.row.readMark) + touched.row.mentionsInGaps
  }

  private func store(_ spans: SpanMap, of conversation: ConversationID) throws {
    try rows.execute("DELETE FROM span WHERE conversation = ?", conversation)
    try rows.insert(spans.spans.map { SpanRow(conversation, $0) })
  }
}
