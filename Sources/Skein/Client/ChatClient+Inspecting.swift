import SkeinStorage

extension ChatClient {
  /// Returns the facts about some chats, and the first 200 operations that wait for the server.
  ///
  /// The number of messages in each span of the chats is counted in the database, so pass only chats that are
  /// displayed.
  ///
  /// - Throws: `StorageError` if the database can't be read.
  public func inspection(of chats: [ConversationID]) async throws -> ClientInspection {
    let status = sendStatus
    return try await store.read { rows in
      let account = try rows.account()
      let operations = try rows.operations(limit: 200).map { operation in
        ClientInspection.Operation(
          id: operation.id.rawValue, conversation: operation.conversation, kind: operation.kind.rawValue,
          message: operation.message ?? operation.target, waitsFor: operation.dependsOn,
          queued: operation.queued,
          attempts: operation.attempts, state: operation.message.flatMap { status.state(of: $0) })
      }
      return ClientInspection(
        cursor: account?.cursor, version: account?.version ?? 0, operations: operations,
        nextTry: status.nextTry,
        chats: try chats.map { ClientInspection.Chat(id: $0, spans: try rows.inspectedSpans(of: $0)) })
    }
  }
}

extension ReadTransaction {
  fileprivate func inspectedSpans(of chat: ConversationID) throws -> [ClientInspection.Span] {
    try spanRows(of: chat).map { span in
      let contents = try contents(of: span)
      return ClientInspection.Span(
        lower: span.lower, upper: span.upper, count: contents.count,
        times: contents.first.flatMap { first in contents.last.map { first...max(first, $0) } },
        reachesStart: span.reachesStart, unreadBelow: span.unreadBelow)
    }
  }
}
