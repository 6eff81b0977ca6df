import SkeinStorage

/// Maintains an entry in the full-text index for each message with searchable text.
///
/// A new message of a small transaction is only marked, and indexed later by ``SearchIndexing``. If a message
/// that has an entry changes, the entry is updated in the same transaction, so that every search finds the
/// message.
struct SearchIndex {
  private let work: UnitOfWork

  init(_ work: UnitOfWork) { self.work = work }

  /// Updates the entry of a row before the row is stored, and sets the row's `searchID`.
  ///
  /// - Parameter known: the stored row; nil for a new row.
  func update(_ row: inout MessageRow, was known: MessageRow?) throws {
    row.searchID = known?.searchID
    defer {
      if row.searchID?.isWaiting == true { row.searchID = waiting(row) }
    }
    if let known, known.payload == row.payload, known.kind == row.kind, known.isHidden == row.isHidden,
      known.time == row.time, known.conversation == row.conversation, waitingEdit(known) == waitingEdit(row)
    {
      return
    }
    try remove(row)
    if row.isHidden {
      row.searchID = nil
    } else if work.indexesAtOnce || known?.searchID?.isWaiting == false {
      try insert(&row)
    } else {
      row.searchID = waiting(row)
    }
  }

  private func waiting(_ row: MessageRow) -> SearchID {
    SearchID(waiting: row.id, isUnsent: row.status == .queued || row.status == .sending)
  }

  /// Indexes a message that is stored without an entry.
  func index(_ known: MessageRow) throws {
    var row = known
    try insert(&row)
    try work.rows.setSearchID(row.searchID, of: row.id)
  }

  private func waitingEdit(_ row: MessageRow) -> PendingActions.Edit? {
    PendingActions.decode(row.pending)?.edit
  }

  /// Indexes the text that is shown: that of a waiting edit, or of the row.
  private func insert(_ row: inout MessageRow) throws {
    row.searchID = nil
    let edit = waitingEdit(row)
    guard let text = work.content(edit?.kind ?? row.kind, edit?.payload ?? row.payload).searchableText,
      !text.isEmpty
    else { return }
    let number = try freeNumber(at: row.time, for: row.id)
    try work.rows.insertSearchEntry(number, text: SearchText.indexed(text), in: row.conversation)
    row.searchID = number
  }

  func remove(_ row: MessageRow) throws {
    if let number = row.searchID, !number.isWaiting { try work.rows.deleteSearchEntry(number) }
  }

  /// The first free number for a message.
  private func freeNumber(at time: Timestamp, for id: LocalMessageID) throws -> SearchID {
    var number = SearchID(at: time, for: id)
    if SearchID.areUnique(below: work.account.nextMessage) { return number }
    while try work.rows.isTaken(number) { number = number.successor }
    return number
  }

  /// Indexes up to 200 more of the messages that were stored before the search index existed, the last stored
  /// first.
  ///
  /// - Returns: whether there may be more of these messages.
  func indexOlderMessages() throws -> Bool {
    let limit = 200
    guard work.account.unindexedBelow > 0 else { return false }
    let older = try work.rows.messages(storedBefore: work.account.unindexedBelow, limit: limit)
    for row in older where row.searchID == nil && !row.isHidden { try index(row) }
    work.account.unindexedBelow = older.count < limit ? 0 : older.last?.id.rawValue ?? 0
    return work.account.unindexedBelow > 0
  }
}
