import SkeinStorage

/// Sends messages to one conversation, from anywhere: no screen is needed.
public struct ChatMessenger: Sendable {
  /// Where the messages go.
  public let conversation: ConversationID
  let store: ChatStore
  let preparation: MessagePreparation

  /// Sends a message. When this returns, the message is on disk and in the list, and will be sent whatever happens to
  /// the app: offline, it waits; after a failure that may pass, it is tried again; killed, it goes on at the next start.
  ///
  /// - Returns: the message's handle, for whoever wants to know how it ends.
  /// - Throws: ``ChatError`` if the content can't be encoded or an attached file can't be read, `StorageError` if the
  ///   disk is full or fails; nothing is stored then.
  @discardableResult
  public func send(_ content: some MessageContent) async throws -> SentMessage {
    let id = MessageID(rawValue: store.runtime.makeIdentifier())
    var composed = try preparation.draft(content, as: id)
    composed.isMedia = !content.allAttachments.isEmpty
    do {
      let draft = composed
      let row = try await store.write(.powerCut) { try $0.compose(draft, in: conversation) }
      return SentMessage(id: row.id, messageID: id, store: store)
    } catch {
      preparation.discardCopies(of: id)
      throw error
    }
  }

  /// Sends a message again that failed or whose outcome is uncertain; it goes to the end of the queue.
  ///
  /// - Throws: ``ChatError`` if the message is in another state, or unknown.
  public func retry(_ id: LocalMessageID) async throws {
    try await store.write(.powerCut) { try $0.retry(id) }
  }
}

/// A message that was given to a ``ChatMessenger``.
public struct SentMessage: Sendable, Identifiable {
  /// Its row, the same before and after it was sent.
  public let id: LocalMessageID
  /// The key under which the server knows it again.
  public let messageID: MessageID
  let store: ChatStore

  /// The message once the server has it; waits as long as that takes.
  ///
  /// - Throws: ``SendFailure`` once it has failed or its outcome is uncertain, ``ChatError`` if it was deleted,
  ///   `CancellationError` when the waiting task is cancelled (the message goes on).
  public var result: ChatMessage {
    get async throws {
      let inbox = ChangeInbox()
      let subscription = store.feed.subscribe(inbox.add)
      defer { store.feed.unsubscribe(subscription) }
      while true {
        try Task.checkCancellation()
        let row = try await store.read { [id] in try $0.find(MessageRow.self, id) }
        guard let row else { throw ChatError(.messageUnknown, "The message was deleted.") }
        switch row.status {
        case .sent: return row.message(for: store.account, kinds: store.kinds)
        case .failed, .uncertain: throw row.failure ?? SendFailure(.refused, "The message was not sent.")
        case .queued, .sending: break
        }
        repeat { await inbox.doorbell.wait() } while !Task.isCancelled && !mentionsMessage(inbox.takeAll())
      }
    }
  }

  private func mentionsMessage(_ changes: [StoreChanges]) -> Bool {
    changes.contains { change in
      change.parts.contains { part in part.deleted.contains(id) || part.messages.contains { $0.id == id } }
    }
  }
}
