#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinStorage

/// The rows that one transaction reads and changes, and a record of what it touched.
///
/// This type contains only rules that no change may skip: updating the search index, removing the content of
/// hidden rows, and recording changes of flags. Services (`Intake`, `Composing`, `MessageActions`, …) decide
/// what is stored. ``finish()`` then runs the store's derivations, and returns the changes.
final class UnitOfWork {
  let rows: WriteTransaction
  let store: ChatStore
  var account: AccountRow
  private let accountAtStart: AccountRow
  private var touched: [TouchedConversation] = []
  private var places: [ConversationID: Int] = [:]
  /// Whether the messages of this unit of work are so many that they are indexed for search at once.
  var indexesAtOnce = false
  var contactChanges = ContactChanges()
  /// Operations that were added to the outbox, or that must be retried at once.
  private(set) var queued: [OperationRow] = []
  private(set) var ended: [OperationID] = []
  private(set) var sendEnds: [SendEnd] = []
  private var lastContent: (kind: MessageKind, payload: Data, content: StoredContent)?

  init(_ rows: WriteTransaction, _ store: ChatStore) throws {
    guard let account = try rows.account() else {
      throw ChatError(.foreignDatabase, "The database in this folder has no account.")
    }
    try store.checkOwner(account)
    self.rows = rows
    self.store = store
    self.account = account
    accountAtStart = account
  }

  /// The `version` of the rows that this unit of work stores: one above the change counter.
  var nextVersion: Int64 { accountAtStart.version + 1 }

  /// Checks that the answer to a request may be stored.
  ///
  /// - Parameter epoch: the epoch of the request; nil if unknown.
  /// - Throws: `BackendError` if this epoch and the current epoch are both known and differ.
  func requireCurrent(_ epoch: Epoch?) throws {
    if let epoch, let current = account.epoch, epoch != current { throw BackendError.otherEpoch }
  }

  // MARK: Conversations

  /// The conversation's current row in this unit of work.
  func row(of id: ConversationID) throws -> ConversationRow { try touched[touch(id)].row }

  func spans(of id: ConversationID) throws -> SpanMap { try touched[touch(id)].spans }

  /// The numbers of stored unread messages after the conversation's read mark. The messages are counted only
  /// if ``TouchedConversation/unread`` is nil, for example after a change of the read mark.
  func unread(in id: ConversationID) throws -> UnreadTally {
    let touched = try touched[touch(id)]
    if let unread = touched.unread { return unread }
    return UnreadTally(
      messages: try rows.unreadMessages(in: id, after: touched.row.readMark),
      mentions: try rows.unreadMentions(in: id, after: touched.row.readMark))
  }

  func change(_ id: ConversationID, _ body: (inout ConversationRow) throws -> Void) throws {
    let index = try touch(id)
    try body(&touched[index].row)
  }

  func changeSpans(of id: ConversationID, _ body: (inout SpanMap) throws -> Void) throws {
    let index = try touch(id)
    try touched[index].changeSpans(body)
  }

  func insert(_ row: ConversationRow) throws {
    try rows.insert(row)
    add(TouchedConversation(row: row, spans: SpanMap(isDense: store.ordering == .dense), isNew: true))
  }

  /// Stores a conversation's row at once, so that later queries of this unit of work find the row by its new
  /// ids.
  func save(_ id: ConversationID) throws {
    let index = try touch(id)
    try store(&touched[index])
  }

  private func store(_ touched: inout TouchedConversation) throws {
    try rows.update(touched.row, was: touched.storedRow)
    touched.storedRow = touched.row
  }

  /// Removes a conversation that was merged into `target`. The caller has already moved the messages to
  /// `target`.
  func remove(_ id: ConversationID, mergedInto target: ConversationID, moved: [LocalMessageID]) throws {
    let index = try touch(id)
    touched[index].mergedInto = target
    touched[index].deleted = moved
    _ = try rows.delete(ConversationRow.self, id)
    try rows.upsert(MergedRow(conversation: id, target: target, version: nextVersion))
  }

  func makeConversationID() -> ConversationID {
    defer { account.nextConversation += 1 }
    return ConversationID(rawValue: account.nextConversation)
  }

  private func spans(of row: ConversationRow) throws -> SpanMap {
    guard let kept = store.spanCache.spans(of: row) else {
      return try rows.spans(of: row, isDense: store.ordering == .dense)
    }
    // A failing read shows nothing.
    assert(
      (try? rows.spanRows(of: row.id).map(\.span)) ?? kept.spans == kept.spans,
      "The cache differs from the database.")
    return kept
  }

  private func touch(_ id: ConversationID) throws -> Int {
    if let place = places[id] { return place }
    guard let row = try rows.find(ConversationRow.self, id) else {
      throw ChatError(.conversationUnknown, "There is no such conversation in this database.")
    }
    return add(TouchedConversation(row: row, spans: try spans(of: row), isNew: false))
  }

  @discardableResult
  private func add(_ new: TouchedConversation) -> Int {
    places[new.row.id] = touched.count
    touched.append(new)
    return touched.count - 1
  }

  // MARK: Messages

  /// Decodes the content of a message. Several rules decode the content of the same message one after the
  /// other, so the last decoded content is kept.
  func content(_ kind: MessageKind, _ payload: Data) -> StoredContent {
    if let last = lastContent, last.kind == kind, last.payload == payload { return last.content }
    let content = store.kinds.decode(kind, payload)
    lastContent = (kind, payload, content)
    return content
  }

  func makeMessageID() -> LocalMessageID {
    defer { account.nextMessage += 1 }
    return LocalMessageID(rawValue: account.nextMessage)
  }

  /// Stores a new row, without the content if the row is hidden.
  func insert(_ row: MessageRow) throws {
    var row = row
    if row.isHidden { row.forgetContent() }
    try SearchIndex(self).update(&row, was: nil)
    try rows.insert(row)
    try record(row, was: nil)
  }

  /// Stores a row's new values under the next version, without the content if the row is hidden.
  func update(_ row: MessageRow) throws {
    var row = row
    row.version = nextVersion
    if row.isHidden { row.forgetContent() }
    guard let known = try rows.find(MessageRow.self, row.id) else {
      throw ChatError(.messageUnknown, "There is no such message in this database.")
    }
    try SearchIndex(self).update(&row, was: known)
    try rows.update(row, was: known)
    try record(row, was: known)
  }

  func delete(_ row: MessageRow) throws {
    guard let known = try rows.find(MessageRow.self, row.id) else { return }
    try SearchIndex(self).remove(known)
    _ = try rows.delete(MessageRow.self, row.id)
    _ = try rows.delete(ReplyRow.self, row.id)
    let index = try touch(row.conversation)
    if !known.flagsHere.isEmpty { touched[index].aspects.insert(.flags) }
    touched[index].recordRemoval(of: known)
  }

  private func record(_ row: MessageRow, was known: MessageRow?) throws {
    let index = try touch(row.conversation)
    if known?.flagsHere.isEmpty == false || !row.flagsHere.isEmpty { touched[index].aspects.insert(.flags) }
    touched[index].record(row, was: known)
  }

  // MARK: Notes for listeners

  /// Notes that lists must reload a conversation's messages, since the places of all messages may have
  /// changed.
  func noteMove(of id: ConversationID) throws {
    let index = try touch(id)
    touched[index].hasMoved = true
  }

  /// Notes that a new message was received. The message may cause an alert.
  func noteArrival(of row: MessageRow) throws {
    let index = try touch(row.conversation)
    touched[index].arrived.append(row.id)
  }

  /// Notes that a new invitation was received. It may cause an alert.
  func noteInvitation(to id: ConversationID) throws {
    let index = try touch(id)
    touched[index].isInvited = true
  }

  /// Notes that the receipts or the flagged messages of a conversation have changed.
  func note(_ aspect: ConversationAspect, of id: ConversationID) throws {
    let index = try touch(id)
    touched[index].aspects.insert(aspect)
  }

  /// Notes the final row of a message whose sending has ended.
  func noteEnd(of row: MessageRow, as state: SendState) {
    var row = row
    row.version = nextVersion
    sendEnds.append(SendEnd(row: row, state: state))
  }

  // MARK: Operations

  func makeOperationID() -> OperationID {
    defer { account.nextOperation += 1 }
    return OperationID(rawValue: account.nextOperation)
  }

  /// Puts an operation into the outbox.
  func queue(_ operation: OperationRow) throws {
    try rows.insert(operation)
    queued.append(operation)
  }

  /// Stores an operation's new values, and lets the outbox retry the operation at once.
  func requeue(_ operation: OperationRow) throws {
    _ = try rows.update(operation)
    queued.append(operation)
  }

  /// Removes an operation from the outbox, for any reason; does nothing if the operation is gone.
  func end(_ operation: OperationID) throws {
    if try rows.delete(OperationRow.self, operation) { ended.append(operation) }
  }

  // MARK: Finishing

  /// The conversations touched so far, in the order in which they were first touched. Conversations that were
  /// merged into others are left out.
  var touchedConversations: [TouchedConversation] { touched.filter { $0.mergedInto == nil } }

  /// The rows and spans of the touched conversations. After ``finish()``, these are the stored values.
  var storedSpans: [(row: ConversationRow, spans: SpanMap)] {
    touchedConversations.map { ($0.row, $0.spans) }
  }

  /// Runs the derivations, stores the touched conversations and returns the changes.
  func finish() throws -> StoreChanges {
    for derivation in store.derivations { try derivation.derive(in: self) }
    var changes = StoreChanges()
    for index in touched.indices {
      if let part = try save(&touched[index]) { changes.parts.append(part) }
    }
    changes.queued = queued
    changes.ended = ended
    changes.sendEnds = sendEnds
    changes.contacts = contactChanges
    if !changes.isEmpty { account.version = nextVersion }
    changes.version = account.version
    try rows.update(account, was: accountAtStart)
    return changes
  }

  /// Stores a touched conversation under the next version, and returns its changes; nil if nothing has
  /// changed. A conversation that was merged into another one is not stored, but its changes are returned.
  private func save(_ touched: inout TouchedConversation) throws -> StoreChanges.Part? {
    if touched.mergedInto != nil { return touched.part(stored: nil, value: nil) }
    let id = touched.row.id
    touched.row.syncedTo = touched.spans.syncedTo
    if touched.spansChanged {
      try rows.replaceSpans(touched.spansAtStart.spans, with: touched.spans.spans, of: id)
    }
    guard touched.hasChanged else { return nil }
    let rowChanged = touched.rowChanged
    touched.row.version = nextVersion
    try store(&touched)
    let last = try touched.row.lastMessage.flatMap { last in
      try touched.messages[last] ?? rows.find(MessageRow.self, last)
    }
    var value: Conversation?
    if rowChanged || last.map({ touched.messages[$0.id] != nil }) == true {
      value = touched.row.conversation(lastMessage: last?.message(for: store.account, kinds: store.kinds))
    }
    return touched.part(stored: try rows.storedMessages(of: id, upTo: last), value: value)
  }
}
