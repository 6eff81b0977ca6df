import SkeinStorage

/// Sends messages to one conversation, from anywhere: no screen is needed.
public struct ChatMessenger: Sendable {
  /// The conversation that messages are sent to.
  public let conversation: ConversationID
  let store: ChatStore
  let preparation: MessagePreparation
  let outbox: Outbox

  /// Sends a message. When this returns, the message is on disk and at the end of the list, and will be sent
  /// whatever happens to the app: it waits while offline, is retried after a temporary failure, and continues
  /// at the next start if the app is killed. A message that a ``SendParticipant`` stops but keeps is in the
  /// list as failed. A list that is showing older messages contains the new message after
  /// ``ChatContext/jumpToNewest()``.
  ///
  /// - Returns: the message's handle, for observing its state.
  /// - Throws: ``ChatError`` if the content can't be encoded or an attached file can't be read,
  ///   `StorageError` if the disk is full or fails, or the ``SendFailure`` of a participant that stops the
  ///   message without keeping it. In each case nothing is stored.
  @discardableResult
  public func send(_ content: some MessageContent) async throws -> SentMessage {
    try await send(content, after: nil)
  }

  /// Sends a reply to a message of the conversation, sent or received, as ``send(_:)`` does. The reply shows
  /// that message as its ``ChatMessage/quote``. If that message is still being sent, the reply is sent after
  /// it, or fails with it.
  ///
  /// - Throws: ``ChatError`` if the server does not support replies, or if the message replied to is unknown,
  ///   is recalled, was not sent or is in another conversation; also the errors of ``send(_:)``.
  @discardableResult
  public func send(_ content: some MessageContent, replyingTo replied: LocalMessageID) async throws
    -> SentMessage
  {
    try await send(content, after: nil, replyingTo: replied)
  }

  /// Sends a message once the server has the message `target`, which may be in any conversation.
  ///
  /// The way of a message from here:
  ///
  /// 1. `Composing` stores the message and its operation in one transaction.
  /// 2. `ChatStore` publishes the commit through the `ChangeFeed`, which the lists and the `Outbox` follow.
  /// 3. The conversation's `OutboxLane` decides when the operation is prepared and posted.
  /// 4. `Attempts` stores each step around `backend.send`. `SendOutcome` decides what follows from an error.
  ///
  /// The way to the receiver's screen:
  ///
  /// 5. `Connection` receives a poke, and `CatchUp` fetches what is new.
  /// 6. `Intake` stores it in one transaction: `IntakePlan` decides about places and gaps, and the list in
  ///    `Derivations.swift` computes previews and unread counts.
  /// 7. The `ChangeFeed` notifies the `ChatTimeline`, which changes the list: `TimelineSync` decides which
  ///    changes apply, `MessageWindow` what is shown.
  package func send(
    _ content: some MessageContent, after target: LocalMessageID?, replyingTo replied: LocalMessageID? = nil
  ) async throws -> SentMessage {
    let id = MessageID(rawValue: store.runtime.makeIdentifier())
    let message = MessageDraft(conversation: conversation, messageID: id, content: .known(content))
    do {
      let encoded = try preparation.encode(try store.participants.screen(message))
      defer { encoded.copying?.release() }
      let row = try await change {
        try Composing($0).compose(encoded, in: conversation, after: target, replyingTo: replied)
      }
      return SentMessage(row, self)
    } catch {
      preparation.discardCopies(of: id)
      throw error
    }
  }

  /// Sends a failed or uncertain message again; it goes to the end of the queue.
  ///
  /// A failed message passes the ``SendParticipant``s again, like a new message. If one of them stops it but
  /// keeps it, it has already failed again when this returns. An uncertain message is sent byte for byte as
  /// before.
  ///
  /// - Throws: ``ChatError`` if the message is unknown or in another state; the ``SendFailure`` of a
  ///   participant that stops the message without keeping it. The stored message is unchanged then.
  public func retry(_ id: LocalMessageID) async throws {
    let row = try await store.read { try $0.find(MessageRow.self, id) }
    guard let row, row.status == .failed else {
      return try await change { try Composing($0).retry(id) }
    }
    let screened = try store.participants.screen(MessageDraft(row, kinds: store.kinds))
    let encoded = try preparation.encode(screened, again: row)
    defer { encoded.copying?.release() }
    try await change { try Composing($0).retry(id, as: encoded) }
  }

  /// Cancels a message that the server does not have yet; running work for it ends.
  ///
  /// - Returns: the outcome, since an attempt may already have reached the server.
  /// - Throws: ``ChatError`` if the message is unknown, `StorageError` if the disk fails.
  @discardableResult
  public func cancel(_ id: LocalMessageID) async throws -> CancelOutcome {
    let (outcome, message) = try await change { try MessageEnds($0).cancel(id) }
    if outcome == .cancelled { preparation.discardCopies(of: message) }
    return outcome
  }

  /// Stores a change of the conversation so that it survives a power cut; returns once open lists show it.
  func change<Result: Sendable>(_ body: @Sendable (UnitOfWork) throws -> Result) async throws -> Result {
    let result = try await store.write(.powerCut, body)
    await store.feed.updateLists(of: conversation)
    return result
  }
}
