import Foundation
import Skein
import SkeinCards

extension WebSession {
  /// Carries out one request.
  func perform(_ request: PageRequest) async throws {
    switch request {
    case .open(let id, let target): try await open(id, at: target)
    case .begin(let name): try await begin(name)
    case .search(let text): try await search(text)
    case .list(let flag): list(flag)
    case .keepDraft(let text, let id): try await client.conversations.setDraft(text, for: id)
    case .answerInvitation(let id, true): try await client.conversations.accept(id)
    case .answerInvitation(let id, false): try await client.conversations.decline(id)
    case .chooseSetting(let id): showMenu(of: id)
    case .set(let setting, let isSet, let id): try await client.conversations.set(setting, to: isSet, for: id)
    case .markRead(let id): try await client.context(for: id).markRead()
    case .send(let request): try await send(request)
    case .forward(let message, let target):
      try await client.forward([message], to: [target])
      try await open(target)
    case .chat(let id, let request):
      // The session may have opened another chat since the page sent the request.
      guard let chat, id == chat.context.conversation else { return }
      try await perform(request, in: chat)
    }
  }

  private func perform(_ request: ChatRequest, in chat: OpenChat) async throws {
    let context = chat.context
    switch request {
    case .fetch(.older): try await context.fetchMorePreviousMessages()
    case .fetch(.newer): try await context.fetchMoreNextMessages()
    case .goToNewest: try await context.jumpToNewest()
    case .fill(let index): try await chat.fill(at: index)
    case .jump(let target): try await chat.jump(to: target)
    case .markRead: try await context.markRead()
    case .noteTyping: context.noteTyping()
    case .card(let request): await chat.perform(request)
    case .message(let id, let request):
      guard let message = context.messages.first(where: { $0.message?.id == id })?.message else { return }
      try await perform(request, on: message, in: context)
    }
  }

  private func perform(
    _ request: MessageRequest, on message: ChatMessage, in context: ChatContext
  ) async throws {
    let (id, messenger) = (message.id, context.messenger)
    switch request {
    case .startReply: show([.compose(.reply(to: id, quote: Self.quote(message)))])
    case .startEdit:
      if let text = message.content.as(TextContent.self) { show([.compose(.edit(id, text: text.text))]) }
    case .react(let key): try await messenger.addReaction(key, to: id)
    case .unreact(let key): try await messenger.removeReaction(key, from: id)
    case .recall: try await messenger.recall(id)
    case .setFlag(let flag, let isSet): try await messenger.setFlag(flag, on: id, to: isSet)
    case .retry: try await messenger.retry(id)
    case .cancel: try await messenger.cancel(id)
    case .delete: try await context.delete([id])
    case .chooseForward:
      show([.fill(.chooser, ForwardChooser.html(of: client.conversations.conversations, forwarding: id))])
    }
  }

  /// Shows the menu of a conversation's settings, unless the conversation is no longer listed.
  private func showMenu(of id: ConversationID) {
    guard let conversation = client.conversations.conversations.first(where: { $0.id == id }) else { return }
    show([.fill(.menu, ConversationMenu.html(of: conversation))])
  }

  /// Opens the chat with a user, and creates the chat if there is none.
  func begin(_ name: String) async throws {
    let name = name.trimmingCharacters(in: .whitespaces)
    guard !name.isEmpty else { return }
    let conversation = try await client.open(.direct(UserID(rawValue: name)))
    // The list follows the database, and contains a new chat a moment later.
    for await update in client.conversations.changes
    where update.snapshot.contains(where: { $0.id == conversation }) { break }
    try await open(conversation)
  }

  /// Sends a text to its chat, which need not be open any more. A text that can't be sent returns to the
  /// composer, if the page still shows the chat. Otherwise, the text becomes the draft of its chat.
  private func send(_ request: SendRequest) async throws {
    guard request.text.contains(where: { !$0.isWhitespace }) else { return }
    let context = client.context(for: request.conversation)
    do {
      try await send(TextContent(calling: request.text), request.mode, by: context.messenger)
    } catch {
      if chat?.context.conversation == request.conversation {
        show(returned(request))
      } else {
        try await client.conversations.setDraft(request.text, for: request.conversation)
      }
      throw error
    }
    show([.sent])
    if case .edit = request.mode { return }
    // The new message is the last message of the chat. The user sees this message only if the list reaches
    // the end of the chat.
    if context.hasMoreNextMessages { try await context.jumpToNewest() }
  }

  private func send(_ content: TextContent, _ mode: SendRequest.Mode, by messenger: ChatMessenger)
    async throws
  {
    switch mode {
    case .edit(let id): try await messenger.edit(id, to: content)
    case .reply(let id): try await messenger.send(content, replyingTo: id)
    case .new: try await messenger.send(content)
    }
  }

  private func returned(_ request: SendRequest) -> [PagePatch] {
    switch request.mode {
    case .new: return [.compose(.restore(text: request.text))]
    case .edit(let id): return [.compose(.edit(id, text: request.text))]
    case .reply(let id):
      let message = chat?.context.messages.first { $0.message?.id == id }?.message
      return [
        .compose(.reply(to: id, quote: message.map(Self.quote) ?? "")),
        .compose(.restore(text: request.text)),
      ]
    }
  }

  private static func quote(_ message: ChatMessage) -> String {
    "\(message.sender.rawValue): \(message.content.displayedText)"
  }

  private func search(_ text: String) async throws {
    guard !text.isEmpty else { return showResults(.empty) }
    let found = try await client.searchMessages(text, limit: 30)
    showResults(SearchResults.html(of: found, in: client.conversations.conversations))
  }

  private func list(_ flag: MessageFlag) {
    guard let label = FlagLabel.label(of: flag) else { return }
    if flag == .star {
      showResults(label, client.starredMessageUpdates)
    } else if let context = chat?.context {
      showResults(label, context.pinnedMessageUpdates)
    }
  }
}
