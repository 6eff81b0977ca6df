import SkeinModel

/// What a chain of syncs handed over, from a cursor to where there was no more.
struct CaughtUp: Sendable {
  /// The answers, in order; never empty.
  var batches: [SyncBatch]
  /// Where the next sync goes on.
  var cursor: SyncCursor

  /// The version of the contact list that was named last; nil where none was.
  var contactVersion: ContactVersion? { batches.last?.contactVersion }

  /// What was said of a conversation, in order.
  func deltas(of conversation: ConversationRef) -> [ConversationDelta] {
    batches.flatMap(\.conversations).filter { $0.info.ref == conversation }
  }

  /// The messages of a conversation, in the order in which they were handed over.
  func messages(in conversation: ConversationRef) -> [IncomingMessage] {
    batches.flatMap { $0.messages(in: conversation) }
  }

  /// The messages of before that were revised since, as they were handed over last, by the server's names.
  func revised(in conversation: ConversationRef) -> [IncomingMessage] {
    deltas(of: conversation).flatMap(\.revised)
  }

  /// All messages, in the order in which they were handed over.
  var messages: [IncomingMessage] { batches.flatMap(\.conversations).flatMap(\.messages) }

  /// How many messages a conversation got, by its counts; nil where one of them is not stated.
  func count(in conversation: ConversationRef) -> Int? {
    let counts = deltas(of: conversation).map(\.count)
    return counts.contains(nil) ? nil : counts.reduce(0) { $0 + ($1 ?? 0) }
  }

  /// The conversation as it was described last.
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
