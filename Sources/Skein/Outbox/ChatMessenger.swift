import SkeinStorage

/// Sends messages to one conversation, from anywhere: no screen is needed.
public struct ChatMessenger: Sendable {
  /// Where the messages go.
  public let conversation: ConversationID
  let store: ChatStore
  let preparation: MessagePreparation
  let outbox: Outbox

  /// Sends a message. When this returns, the message is on disk, comes to stand at the end of the list, and will be sent
  /// whatever happens to the app: offline, it waits; after a failure that may pass, it is tried again; killed, it goes on at
  /// the next start. One that a ``SendParticipant`` stopped and kept is in the list as failed. A list that was put elsewhere
  /// shows it once it is back at the newest message: ``ChatContext/jumpToNewest()``.
  ///
  /// - Returns: the message's handle, for whoever wants to know how it ends.
  /// - Throws: ``ChatError`` if the content can't be encoded or an attached file can't be read, `StorageError` if the
  ///   disk is full or fails, the ``SendFailure`` of a participant that stopped the message; nothing is stored then.
  @discardableResult
  public func send(_ content: some MessageContent) async throws -> SentMessage {
    try await send(content, after: nil)
  }

  /// Sends a reply to a message of the conversation, one's own or received, as ``send(_:)`` does. It shows that one as its
  /// ``ChatMessage/quote``; where that one is still on its way, the reply goes after it, or fails with it.
  ///
  /// - Throws: ``ChatError`` if the server keeps no replies, or if the message replied to is unknown, recalled, of another
  ///   conversation or was not sent; what ``send(_:)`` throws.
  @discardableResult
  public func send(_ content: some MessageContent, replyingTo replied: LocalMessageID) async throws
    -> SentMessage
  {
    try await send(content, after: nil, replyingTo: replied)
  }

  /// Sends a message once the server has another one, of whatever conversation.
  package func send(
    _ content: some MessageContent, after target: LocalMessageID?, replyingTo replied: LocalMessageID? = nil
  ) async throws -> SentMessage {
    let id = MessageID(rawValue: store.runtime.makeIdentifier())
    let message = MessageDraft(conversation: conversation, messageID: id, content: .known(content))
    do {
      let encoded = try preparation.encode(try store.participants.screen(message))
      defer { encoded.copying?.release() }
      let row = try await store.write(.powerCut) {
        try Composing($0).compose(encoded, in: conversation, after: target, replyingTo: replied)
      }
      return SentMessage(row, self)
    } catch {
      preparation.discardCopies(of: id)
      throw error
    }
  }

  /// Sends a message again that failed or whose outcome is uncertain; it goes to the end of the queue.
  ///
  /// One that failed passes the ``SendParticipant``s like a new one: where what one of them asked for is done by now, it
  /// goes, and where not, it has failed again when this returns. One that is uncertain goes out byte for byte as it was.
  ///
  /// - Throws: ``ChatError`` if the message is in another state, or unknown; the ``SendFailure`` of a participant that
  ///   stopped it and does not keep it: the message is as it was then.
  public func retry(_ id: LocalMessageID) async throws {
    let row = try await store.read { try $0.find(MessageRow.self, id) }
    guard let row, row.status == .failed else {
      return try await store.write(.powerCut) { try Composing($0).retry(id) }
    }
    let screened = try store.participants.screen(MessageDraft(row, kinds: store.kinds))
    let encoded = try preparation.encode(screened, again: row)
    defer { encoded.copying?.release() }
    try await store.write(.powerCut) { try Composing($0).retry(id, as: encoded) }
  }

  /// Takes a message back that the server does not have yet; what is under way for it ends.
  ///
  /// - Returns: what became of it: an attempt may have brought it to the server already.
  /// - Throws: ``ChatError`` if the message is unknown, `StorageError` if the disk fails.
  @discardableResult
  public func cancel(_ id: LocalMessageID) async throws -> CancelOutcome {
    let (outcome, message) = try await store.write(.powerCut) { try MessageEnds($0).cancel(id) }
    if outcome == .cancelled { preparation.discardCopies(of: message) }
    return outcome
  }
}
