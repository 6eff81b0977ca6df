import SkeinStorage

extension ChatClient {
  /// Copies messages, one's own or received, to conversations; all copies are stored or none.
  ///
  /// The content goes as it is, so that media is not uploaded again. A copy of a message that is still on its way waits for
  /// it and takes the content that it ends with; if that message fails, is cancelled or stays uncertain, the copy fails for
  /// that reason.
  ///
  /// - Returns: the copies, conversation by conversation, in the order of `messages`.
  /// - Throws: ``ChatError`` if a message or a conversation is unknown, or a message was not sent.
  @discardableResult
  public func forward(_ messages: [LocalMessageID], to conversations: [ConversationID]) async throws
    -> [SentMessage]
  {
    let copies = try await store.write(.powerCut) { try $0.forward(messages, to: conversations) }
    return copies.map { SentMessage($0, messenger(for: $0.conversation)) }
  }

  /// Copies messages to conversations that are found or made for it, like ``forward(_:to:)-(_,[ConversationID])``.
  @discardableResult
  public func forward(_ messages: [LocalMessageID], to requests: [ConversationRequest]) async throws
    -> [SentMessage]
  {
    let copies = try await store.write(.powerCut) { transaction in
      try transaction.forward(messages, to: try requests.map { try transaction.open($0) })
    }
    return copies.map { SentMessage($0, messenger(for: $0.conversation)) }
  }
}
