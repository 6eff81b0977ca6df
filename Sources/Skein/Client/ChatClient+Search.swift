import SkeinStorage

extension ChatClient {
  /// Finds stored messages that contain all words of a text, the newest first; the last word may be incomplete. Case
  /// and accents are ignored. In Chinese, Japanese and Korean any part of a sentence is found.
  ///
  /// The searched text is ``MessageContent/searchableText``. A message is not found if its kind was not
  /// registered when the message was indexed. Messages stored by a version without search are found after
  /// they have been indexed. The first ``start()`` begins to index these messages.
  ///
  /// - Parameters:
  ///   - text: the text as typed; a text without a word finds nothing.
  ///   - conversation: the conversation to search; nil for all conversations. Messages of closed
  ///     conversations are never found.
  ///   - message: a message found before: the search continues with the messages older than this message. Nil
  ///     begins with the newest message.
  ///   - limit: the maximum number of messages to return, 1 to 500.
  /// - Returns: the messages found; fewer than `limit` if no further message is found.
  /// - Throws: `StorageError` if the database can't be read.
  public func searchMessages(
    _ text: String, in conversation: ConversationID? = nil, before message: ChatMessage? = nil,
    limit: Int = 50
  ) async throws -> [ChatMessage] {
    guard let words = SearchText.expression(text) else { return [] }
    let chat = conversation.map { "chat : \"\(SearchTable.name(of: $0))\" AND " } ?? ""
    let (query, limit) = ("\(chat)text : (\(words))", limit.clamped(to: 1...500))
    // If this fails, only the newest messages are not found.
    try? await SearchIndexing(store: store).indexWaiting(withUnsent: true)
    var last = try await store.read { try $0.searchID(of: message) }
    var found: [ChatMessage] = []
    while true {
      let (page, end) = try await store.read { [last] in
        try $0.messages(matching: query, below: last, limit: limit)
      }
      for row in page {
        let candidate = row.message(for: store.account, kinds: store.kinds)
        // A message that is being recalled is no longer found.
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
  /// The search id below which a search continues after a message. Computed from the message's time if the
  /// message is not in the index yet.
  fileprivate func searchID(of message: ChatMessage?) throws -> SearchID {
    guard let message else { return SearchID(rawValue: .max) }
    let stored = try find(MessageRow.self, message.id)?.searchID
    return stored.flatMap { $0.isWaiting ? nil : $0 } ?? SearchID(at: message.time)
  }
}
