public import Skein

/// A plugin's access to its chat.
public struct MessageCardContext: Sendable {
  /// The chat.
  public let conversation: ConversationID
  let kinds: Set<MessageKind>
  let chat: ChatContext
  /// Returns the list, which is captured weakly so that a plugin doesn't keep its list alive.
  let list: @Sendable () -> (any CardList)?
  let sends: SendAllowance
  let business: String

  /// The messages of the plugin's kinds in the chat's window, in order.
  ///
  /// Each access searches the whole window. If a plugin needs the messages for each card, make the plugin a
  /// ``MessageFollowingPlugin``.
  public var messages: [ChatMessage] {
    chat.messages.compactMap(\.message).filter { kinds.contains($0.kind) }
  }

  /// ``messages`` now and after each change of the list.
  var messageUpdates: some AsyncSequence<[ChatMessage], Never> & Sendable {
    chat.changes.map { [kinds] update in
      update.snapshot.compactMap(\.message).filter { kinds.contains($0.kind) }
    }
  }

  /// The current time by the server's clock, which also gives the times of messages.
  public var now: Timestamp { chat.now }

  /// Invalidates cards of the plugin's kinds, so that the cards are made again on demand. Messages of other
  /// kinds are ignored.
  public func reload(_ messages: [LocalMessageID]) { list()?.reload(messages, for: business) }

  /// Invalidates the cards of all ``messages``.
  public func reloadAll() { reload(messages.map(\.id)) }

  /// Sends a message to the chat as the account's user.
  ///
  /// - Throws: ``CardProblem`` with `sendsTooMuch` if the plugin has called this method 20 times since the user's
  ///   latest action on one of its cards; any error of `ChatMessenger.send`.
  @discardableResult
  public func send(_ content: some MessageContent) async throws -> SentMessage {
    guard sends.consume() else {
      let problem = CardProblem(
        code: .sendsTooMuch, business: business, message: nil,
        reason:
          "It has sent \(SendAllowance.most) messages since the user's latest action.")
      list()?.report(problem)
      throw problem
    }
    return try await chat.messenger.send(content)
  }

  /// Asks the ``MessageCardDelegate`` to open a page.
  public func open(_ page: CardPage) { list()?.open(page) }
}

/// A list of cards as its plugins use it.
protocol CardList: AnyObject, Sendable {
  /// Invalidates cards of the plugin with this name, so that the cards are made again on demand.
  func reload(_ messages: [LocalMessageID], for business: String)
  /// Publishes a failure of a plugin.
  func report(_ problem: CardProblem)
  /// Asks the ``MessageCardDelegate`` to open a page.
  func open(_ page: CardPage)
}
