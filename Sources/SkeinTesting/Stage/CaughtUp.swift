import SkeinModel

/// The result of a chain of syncs, from a cursor until no changes are left.
struct CaughtUp: Sendable {
  /// The answers, in order; never empty.
  var batches: [SyncBatch]
  /// The cursor of the next sync.
  var cursor: SyncCursor

  /// The version of the contact list in the last answer; nil if it contains none.
  var contactVersion: ContactVersion? { batches.last?.contactVersion }

  /// The deltas of a conversation, in order.
  func deltas(of conversation: ConversationRef) -> [ConversationDelta] {
    batches.flatMap(\.conversations).filter { $0.info.ref == conversation }
  }

  /// The messages of a conversation, in the order of the answers.
  func messages(in conversation: ConversationRef) -> [IncomingMessage] {
    batches.flatMap { $0.messages(in: conversation) }
  }

  /// The latest values of the revised messages, by server id.
  func revised(in conversation: ConversationRef) -> [IncomingMessage] {
    deltas(of: conversation).flatMap(\.revised)
  }

  /// All messages, in the order of the answers.
  var messages: [IncomingMessage] { batches.flatMap(\.conversations).flatMap(\.messages) }

  /// The number of messages that a conversation received, by its counts; nil if one of them is not stated.
  func count(in conversation: ConversationRef) -> Int? {
    let counts = deltas(of: conversation).map(\.count)
    return counts.contains(nil) ? nil : counts.reduce(0) { $0 + ($1 ?? 0) }
  }

  /// The latest description of the conversation.
  func info(of conversation: ConversationRef) throws -> ConversationInfo {
    guard let info = deltas(of: conversation).last?.info else {
      throw CheckEnd.failed("The sync left out a conversation in which something had happened.")
    }
    return info
  }
}

extension SyncBatch {
  func messages(in conversation: ConversationRef) -> [IncomingMessage] {
    conversations.filter { $0.info.ref == conversation }.flatMap(\.messages)
  }
}
