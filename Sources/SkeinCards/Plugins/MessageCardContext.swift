public import Skein

/// What a plugin can do in its chat.
public struct MessageCardContext: Sendable {
  /// The chat.
  public let conversation: ConversationID
  let kinds: Set<MessageKind>
  let chat: ChatContext
  /// Weak in there: a plugin that outlives its list reaches nobody.
  let factory: @Sendable () -> MessageCardViewModelFactory?
  let sends: SendAllowance
  let business: String

  /// The messages of the plugin's kinds that the chat's window holds, in its order. All of the window is looked through: a plugin
  /// that needs them for each card is a ``MessageFollowingPlugin``.
  public var messages: [ChatMessage] {
    chat.messages.compactMap(\.message).filter { kinds.contains($0.kind) }
  }

  /// ``messages``, now and whenever the list has changed.
  var messageUpdates: some AsyncSequence<[ChatMessage], Never> & Sendable {
    chat.changes.map { [kinds] update in
      update.snapshot.compactMap(\.message).filter { kinds.contains($0.kind) }
    }
  }

  /// The server's time now, by which messages are dated.
  public var now: Timestamp { chat.now }

  /// Has cards made anew, as after the plugin has learned something; those of other kinds are left alone.
  public func reload(_ messages: [LocalMessageID]) { factory()?.reload(messages, for: business) }

  /// Has all cards of the plugin's kinds made anew.
  public func reloadAll() { reload(messages.map(\.id)) }

  /// Sends a message to the chat, as its user.
  ///
  /// - Throws: ``CardProblem`` with `sendsTooMuch` where the plugin has sent 20 messages that nobody asked for by an action
  ///   since; what `ChatMessenger.send` throws.
  @discardableResult
  public func send(_ content: some MessageContent) async throws -> SentMessage {
    guard sends.consume() else {
      let problem = CardProblem(
        code: .sendsTooMuch, business: business, message: nil,
        reason:
          "It has sent \(SendAllowance.most) messages without anybody having done something with a card.")
      factory()?.report(problem)
      throw problem
    }
    return try await chat.messenger.send(content)
  }

  /// Has the list's delegate open a page.
  public func open(_ page: CardPage) { factory()?.open(page) }
}
