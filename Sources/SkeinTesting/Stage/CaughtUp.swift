import SkeinModel

/// The result of a chain of syncs, from a cursor until no changes are left.
struct CaughtUp: Sendable {
  /// The answers, in order; at least one.
  var batches: [SyncBatch]
  /// The cursor of the next sync.
  var cursor: SyncCursor

  /// The version of the contact list in the last answer; nil if the answer contains no version.
  var contactVersion: ContactVersion? { batches.last?.contactVersion }

  /// Returns the deltas of a conversation, in the order of the answers.
  func deltas(of conversation: ConversationRef) -> [ConversationDelta] {
    batches.flatMap(\.conversations).filter { $0.info.ref == conversation }
  }

  /// Returns the new messages of a conversation, in the order of the answers.
  func messages(in conversation: ConversationRef) -> [IncomingMessage] {
    batches.flatMap { $0.messages(in: conversation) }
  }

  /// Returns the revised messages of a conversation, in the order of the answers. A message may occur more than
  /// once.
  func revised(in conversation: ConversationRef) -> [IncomingMessage] {
    deltas(of: conversation).flatMap(\.revised)
  }

  /// The new messages of all conversations, in the order of the answers.
  var messages: [IncomingMessage] { batches.flatMap(\.conversations).flatMap(\.messages) }

  /// Returns the sum of the counts in a conversation's deltas; nil if a delta states no count.
  func count(in conversation: ConversationRef) -> Int? {
    let counts = deltas(of: conversation).map(\.count)
    return counts.contains(nil) ? nil : counts.reduce(0) { $0 + ($1 ?? 0) }
  }

  /// Returns the latest value of a conversation's setting; nil if no answer states it.
  func value(of setting: ConversationSetting, of conversation: ConversationRef) -> Bool? {
    batches.reduce(nil) { value, batch in
      let infos = batch.conversations.map(\.info).filter { $0.ref == conversation }
      let muted = setting == .muted ? batch.muted?.contains(conversation) : nil
      return muted ?? infos.compactMap { $0.settings[setting] }.last ?? value
    }
  }

  /// Returns the latest description of a conversation. The check fails if no answer contains the conversation.
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
