import SkeinStorage

extension ChatClient {
  /// Copies messages, sent or received, to conversations; stores all copies or none.
  ///
  /// The content is not changed, so media is not uploaded again. A copy of a message that is still to be sent
  /// waits for the original message, and gets the final content of the original. If the original fails,
  /// becomes uncertain or is cancelled, the copy fails for the same reason. Every copy passes the
  /// ``SendParticipant``s like a new message. If a participant replaces the content of a copy, the
  /// replacement is sent instead.
  ///
  /// - Returns: the copies, conversation by conversation, in the order of `messages`.
  /// - Throws: ``ChatError`` if a message or a conversation is unknown, if a message is recalled, failed or
  ///   uncertain, if an attachment of a sent message is not on the server, or if a conversation is closed.
  ///   The ``SendFailure`` of a participant that stops a copy without keeping the copy.
  @discardableResult
  public func forward(_ messages: [LocalMessageID], to conversations: [ConversationID]) async throws
    -> [SentMessage]
  {
    let sources = try await store.read { rows in
      try messages.map { try rows.forwardable($0) }
    }
    var copies: [ForwardedCopy] = []
    defer { for copy in copies { copy.message.copying?.release() } }
    do {
      for conversation in conversations {
        for source in sources { copies.append(try copy(of: source, to: conversation)) }
      }
      let rows = try await store.write(.powerCut) { [copies] work in
        try copies.map { try Composing(work).forward($0) }
      }
      for conversation in conversations { await store.feed.updateLists(of: conversation) }
      return rows.map { SentMessage($0, messenger(for: $0.conversation)) }
    } catch {
      for copy in copies { await preparation.discardCopies(of: copy.message.messageID) }
      throw error
    }
  }

  /// Finds or creates conversations, and copies messages to these conversations like
  /// ``forward(_:to:)-(_,[ConversationID])``.
  ///
  /// If copying throws, the created conversations stay.
  @discardableResult
  public func forward(_ messages: [LocalMessageID], to requests: [ConversationRequest]) async throws
    -> [SentMessage]
  {
    let conversations = try await store.write(.powerCut) { work in
      try requests.map { try ConversationBook(work).open($0) }
    }
    return try await forward(messages, to: conversations)
  }

  /// Sends messages, sent or received, as one message that shows them as a piece of chat history.
  ///
  /// - Parameters:
  ///   - messages: the messages in display order; the server must have each message.
  ///   - title: the title shown above the messages, such as the name of their chat.
  /// - Throws: ``ChatError`` if `messages` is empty, if a message or the conversation is unknown, if a
  ///   message is recalled, or if the server does not have all the messages. Also the errors of
  ///   ``send(_:to:)``.
  @discardableResult
  public func forward(merged messages: [LocalMessageID], title: String, to conversation: ConversationID)
    async throws -> SentMessage
  {
    let sources = try await store.read { rows in try messages.map { try rows.forwardable($0) } }
    guard !sources.isEmpty else { throw ChatError(.notPossibleNow, "There is nothing to forward.") }
    guard sources.allSatisfy({ $0.status == .sent }) else {
      throw ChatError(.notPossibleNow, "The server does not have all of these messages yet.")
    }
    let history = sources.map {
      MergedForwardContent.Message(sender: $0.sender, time: $0.time, kind: $0.kind, payload: $0.payload)
    }
    return try await send(MergedForwardContent(title: title, messages: history), to: conversation)
  }

  private func copy(of source: MessageRow, to conversation: ConversationID) throws -> ForwardedCopy {
    let draft = MessageDraft(
      conversation: conversation, messageID: MessageID(rawValue: store.runtime.makeIdentifier()),
      content: store.kinds.decode(source.kind, source.payload))
    let screened = try store.participants.screen(draft)
    return ForwardedCopy(
      source: source.id, conversation: conversation, isReplaced: screened.isReplaced,
      message: try preparation.encode(screened, copying: source))
  }
}
