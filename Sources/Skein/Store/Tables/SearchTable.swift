import SkeinStorage

/// The full-text index. Its rows are numbered by time, so that a search finds the newest messages first
/// without sorting.
enum SearchTable {
  static let table = VirtualTable(
    "message_search", columns: ["text", "chat"],
    using: "fts5(text, chat, tokenize = 'unicode61 remove_diacritics 2')")

  /// The name of a conversation in the index.
  static func name(of conversation: ConversationID) -> String { "c\(conversation.rawValue)" }
}

extension ReadTransaction {
  func isTaken(_ number: SearchID) throws -> Bool {
    try scalar(Int.self, "SELECT 1 FROM message WHERE search_id = ?", number) != nil
  }

  /// The newest messages that match a query and whose number in the index is below `last`.
  ///
  /// - Returns: the messages, without messages of closed conversations; and the number from which the next
  ///   search continues, or nil if there are no more matches.
  func messages(matching query: String, below last: SearchID, limit: Int) throws -> (
    rows: [MessageRow], end: SearchID?
  ) {
    let numbers = try rows(
      SearchID.self,
      "SELECT rowid FROM message_search WHERE message_search MATCH ? AND rowid < ? ORDER BY rowid DESC LIMIT ?",
      query, last, limit)
    var closed: [ConversationID: Bool] = [:]
    let found = try numbers.compactMap { number -> MessageRow? in
      guard let row = try first(MessageRow.self, "WHERE search_id = ?", number) else { return nil }
      if closed[row.conversation] == nil {
        closed[row.conversation] = try find(ConversationRow.self, row.conversation)?.isClosed ?? true
      }
      return closed[row.conversation] == true ? nil : row
    }
    return (found, numbers.count == limit ? numbers.last : nil)
  }

  /// Messages that wait to be indexed.
  func messagesToIndex(withUnsent: Bool, limit: Int) throws -> [MessageRow] {
    try select(
      MessageRow.self, "WHERE search_id < 0 AND search_id > ? LIMIT ?",
      withUnsent ? SearchID(rawValue: .min) : .firstUnsent, limit)
  }

  /// The messages with the highest local ids below `id`.
  func messages(storedBefore id: Int64, limit: Int) throws -> [MessageRow] {
    try select(MessageRow.self, "WHERE id < ? ORDER BY id DESC LIMIT ?", id, limit)
  }
}

extension WriteTransaction {
  func insertSearchEntry(_ number: SearchID, text: String, in conversation: ConversationID) throws {
    try execute(
      "INSERT INTO message_search (rowid, text, chat) VALUES (?, ?, ?)", number, text,
      SearchTable.name(of: conversation))
  }

  func deleteSearchEntry(_ number: SearchID) throws {
    try execute("DELETE FROM message_search WHERE rowid = ?", number)
  }

  func setSearchID(_ number: SearchID?, of message: LocalMessageID) throws {
    try execute("UPDATE message SET search_id = ? WHERE id = ?", number, message)
  }
}
