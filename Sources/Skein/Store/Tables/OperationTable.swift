import SkeinStorage

/// Queries of the outbox's table.
extension ReadTransaction {
  /// The first operations of the outbox, at most `limit`, in the order in which they were queued.
  func operations(limit: Int = .max) throws -> [OperationRow] {
    try select(OperationRow.self, "ORDER BY id LIMIT ?", limit)
  }

  func operations(in conversation: ConversationID) throws -> [OperationRow] {
    try select(OperationRow.self, "WHERE conversation = ? ORDER BY id", conversation)
  }

  /// The operations that post a message.
  func operations(of message: LocalMessageID) throws -> [OperationRow] {
    try select(OperationRow.self, "WHERE message = ? ORDER BY id", message)
  }

  /// The operations that change a message, in the order in which they were queued.
  func actions(on message: LocalMessageID) throws -> [OperationRow] {
    try select(OperationRow.self, "WHERE target = ? ORDER BY id", message)
  }

  /// The operations that wait for a message to be sent.
  func dependents(of message: LocalMessageID) throws -> [OperationRow] {
    try select(OperationRow.self, "WHERE depends_on = ? ORDER BY id", message)
  }

  /// The operation that opens a conversation.
  func opening(of id: ConversationID) throws -> OperationRow? {
    try first(OperationRow.self, "WHERE conversation = ? AND kind = ?", id, OperationRow.Kind.open)
  }

  /// The operation that holds the others until the invitation to a conversation is accepted.
  func hold(of id: ConversationID) throws -> OperationRow? {
    try first(OperationRow.self, "WHERE conversation = ? AND kind = ?", id, OperationRow.Kind.hold)
  }

  /// The operation that leaves a group on the server.
  func leaving(_ id: ConversationID) throws -> OperationRow? {
    try first(OperationRow.self, "WHERE conversation = ? AND kind = ?", id, OperationRow.Kind.leave)
  }

  /// Operations whose message has the status `sending`. At the start of a run, these are the operations that
  /// an earlier run left unfinished.
  func interruptedOperations() throws -> [OperationRow] {
    // Reads the outbox and looks up each message: the table of messages is far larger.
    try select(
      OperationRow.self,
      "WHERE (SELECT status FROM message WHERE message.id = operation.message) = ? ORDER BY id",
      MessageStatus.sending)
  }

  /// Whether the outbox contains an operation that posts or changes a message of a conversation.
  func hasWaitingMessages(in conversation: ConversationID) throws -> Bool {
    try scalar(
      Int.self,
      "SELECT 1 FROM operation WHERE conversation = ? AND coalesce(message, target) IS NOT NULL LIMIT 1",
      conversation) != nil
  }

  /// The messages that the operations of a conversation will change.
  func actionTargets(in conversation: ConversationID) throws -> [LocalMessageID] {
    try rows(
      LocalMessageID.self,
      "SELECT DISTINCT target FROM operation WHERE conversation = ? AND target IS NOT NULL", conversation)
  }

  func waitingMessageCount() throws -> Int {
    try scalar(Int.self, "SELECT count(*) FROM operation WHERE message IS NOT NULL") ?? 0
  }

  /// The messages that are still to be sent, in the order in which they were queued.
  func waitingMessages() throws -> [MessageRow] {
    try select(OperationRow.self, "WHERE message IS NOT NULL ORDER BY id").compactMap(\.message)
      .compactMap { try find(MessageRow.self, $0) }
  }
}

extension WriteTransaction {
  /// Marks the outcome of every operation that posts a message as unknown, and every action as tried: a later action is
  /// then not combined with it.
  func doubtAllAttempts() throws {
    try execute(
      "UPDATE operation SET outcome_is_unknown = 1 WHERE message IS NOT NULL OR kind IN ('open', 'leave')")
    try execute("UPDATE operation SET attempts = max(attempts, 1) WHERE kind = 'revise'")
  }
}
