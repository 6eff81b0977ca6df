import SkeinStorage

extension ChatClient {
  /// Finds messages by what they say, the newest first: those that are here and have all words of a text, the last of which may
  /// have been begun only. Case and accents don't count. Of Chinese, Japanese and Korean any part of a sentence is found.
  ///
  /// What a kind has to find is ``MessageContent/searchableText``; messages of a kind that was not registered when they came are
  /// not found. After an update from a version without search, older
  /// messages are found as soon as they have been gone through, which the first start begins.
  ///
  /// - Parameters:
  ///   - text: what somebody typed, as it is; a text without a word finds nothing.
  ///   - conversation: where to look; everywhere unless given, but for chats that are closed.
  ///   - message: goes on below one that was found before; nil begins at the newest.
  ///   - limit: the most messages to return, 1 to 500.
  /// - Returns: fewer messages than `limit` where there are no more.
  /// - Throws: `StorageError` if the database can't be read.
  public func searchMessages(
    _ text: String, in conversation: ConversationID? = nil, before message: ChatMessage? = nil,
    limit: Int = 50
  ) async throws -> [ChatMessage] {
    guard let words = SearchText.expression(text) else { return [] }
    let chat = conversation.map { "chat : \"\(SearchTable.name(of: $0))\" AND " } ?? ""
    let (query, limit) = ("\(chat)text : (\(words))", limit.clamped(to: 1...500))
    var last = try await store.read { try $0.searchID(of: message) }
    var found: [ChatMessage] = []
    while true {
      let (page, end) = try await store.read { [last] in
        try $0.messages(matching: query, below: last, limit: limit)
      }
      for row in page {
        let candidate = row.message(for: store.account, kinds: store.kinds)
        // What is being recalled is gone for who searches.
        guard !candidate.isRecalled, SearchText.matches(candidate.content.searchableText ?? "", text) else {
          continue
        }
        found.append(candidate)
        if found.count == limit { return found }
      }
      guard let end else { return found }
      last = end
    }
  }
}

extension ReadTransaction {
  /// Where a search goes on below a message, which may be gone by now.
  fileprivate func searchID(of message: ChatMessage?) throws -> SearchID {
    guard let message else { return SearchID(rawValue: .max) }
    return try find(MessageRow.self, message.id)?.searchID ?? SearchID(at: message.time)
  }
}
