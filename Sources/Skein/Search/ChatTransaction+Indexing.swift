import SkeinStorage

/// The search index: an entry for each message that has text to find, newest last.
extension ChatTransaction {
  /// The index; its rows are numbered by time, so that the newest are found first without sorting.
  static let index = VirtualTable(
    "message_search", columns: ["text", "chat"],
    using: "fts5(text, chat, tokenize = 'unicode61 remove_diacritics 2')")

  /// Has a row that is about to be stored stand in the index as it is now.
  ///
  /// - Parameter known: the row as it is stored; nil for a new one.
  func index(_ row: inout MessageRow, was known: MessageRow?) throws {
    row.searchID = known?.searchID
    if let known, known.payload == row.payload, known.kind == row.kind, known.isHidden == row.isHidden,
      known.time == row.time, known.conversation == row.conversation
    {
      return
    }
    try removeFromIndex(row)
    row.searchID = nil
    guard !row.isHidden, let text = store.kinds.decode(row.kind, row.payload).searchableText, !text.isEmpty
    else { return }
    let number = try freeSearchID(at: row.time, for: row.id)
    try rows.execute(
      "INSERT INTO message_search (rowid, text, chat) VALUES (?, ?, ?)", number, SearchText.indexed(text),
      Self.name(of: row.conversation))
    row.searchID = number
  }

  func removeFromIndex(_ row: MessageRow) throws {
    guard let number = row.searchID else { return }
    try rows.execute("DELETE FROM message_search WHERE rowid = ?", number)
  }

  /// What stands for a conversation in the index.
  static func name(of conversation: ConversationID) -> String { "c\(conversation.rawValue)" }

  /// The first number of a message's time that is not taken.
  private func freeSearchID(at time: Timestamp, for id: LocalMessageID) throws -> SearchID {
    var number = SearchID(at: time, for: id)
    while try rows.scalar(Int.self, "SELECT 1 FROM message WHERE search_id = ?", number) != nil {
      number = number.successor
    }
    return number
  }

  // MARK: What was stored before there was an index

  /// Puts the next of the older messages into the index, the newest of them first.
  ///
  /// - Returns: whether there are more.
  func indexOlder() throws -> Bool {
    guard account.unindexedBelow > 0 else { return false }
    let older = try rows.select(
      MessageRow.self, "WHERE id < ? ORDER BY id DESC LIMIT 200", account.unindexedBelow)
    for known in older where known.searchID == nil {
      var row = known
      try index(&row, was: nil)
      if let number = row.searchID {
        try rows.execute("UPDATE message SET search_id = ? WHERE id = ?", number, row.id)
      }
    }
    account.unindexedBelow = older.count < 200 ? 0 : older.last?.id.rawValue ?? 0
    return account.unindexedBelow > 0
  }
}

/// The number of a message in the search index: rises with the message's time.
struct SearchID: RawRepresentable, Hashable, Comparable, Sendable, ColumnValue {
  let rawValue: Int64

  init(rawValue: Int64) { self.rawValue = rawValue }

  /// The first that a message of this time may have, for its row.
  init(at time: Timestamp, for id: LocalMessageID) {
    self.init(rawValue: SearchID(at: time).rawValue | id.rawValue & Self.rows)
  }

  /// Below all messages of this time and later.
  init(at time: Timestamp) {
    rawValue = min(max(time.rawValue, 0), Int64.max >> Self.shift) << Self.shift
  }

  var successor: SearchID { SearchID(rawValue: rawValue == .max ? 0 : rawValue + 1) }
  static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  private static let shift: Int64 = 20
  private static let rows: Int64 = 1 << shift - 1
}
