import Foundation
import Skein
import SkeinCards

extension WebSession {
  /// Does what somebody asks for; what the page does not know is left alone.
  func perform(_ request: PageRequest) async throws {
    switch request.do {
    case "open": if let id = request.conversation { try await open(id, at: request.messageID) }
    case "new": try await begin(request.text ?? "")
    case "search": try await search(request.text ?? "")
    case "draft": try await keepDraft(request)
    case "send": try await send(request)
    case "forwardTo":
      guard let message = request.messageID, let target = request.conversation else { return }
      try await client.forward([message], to: [target])
      try await open(target)
    default: try await performInChat(request)
    }
  }

  private func performInChat(_ request: PageRequest) async throws {
    // What was asked of a chat that is open no more is of no use in another one.
    guard let chat, request.conversation == chat.context.conversation else { return }
    let context = chat.context
    switch request.do {
    case "older": try await context.fetchMorePreviousMessages()
    case "newer": try await context.fetchMoreNextMessages()
    case "newest": try await context.jumpToNewest()
    case "fill": if let index = request.index { try await chat.fill(at: index) }
    case "jump": try await chat.jump(request)
    case "read": try await context.markRead()
    case "typing": context.noteTyping()
    case "card": await chat.perform(request)
    default:
      guard
        let message = request.messageID.flatMap({ id in context.messages.first { $0.message?.id == id } })?
          .message
      else { return }
      try await perform(request, on: message, in: context)
    }
  }

  private func perform(_ request: PageRequest, on message: ChatMessage, in context: ChatContext) async throws
  {
    let (id, messenger) = (message.id, context.messenger)
    switch request.do {
    case "reply":
      show([.compose("reply", id, "\(message.sender.rawValue): \(message.content.displayedText)")])
    case "edit":
      if let text = message.content.as(TextContent.self) { show([.compose("edit", id, text.text)]) }
    case "react":
      if let key = request.key { try await messenger.addReaction(ReactionKey(rawValue: key), to: id) }
    case "unreact":
      if let key = request.key { try await messenger.removeReaction(ReactionKey(rawValue: key), from: id) }
    case "recall": try await messenger.recall(id)
    case "pin": try await messenger.pin(id)
    case "unpin": try await messenger.unpin(id)
    case "retry": try await messenger.retry(id)
    case "cancel": try await messenger.cancel(id)
    case "delete": try await context.delete([id])
    case "forward": chooseChat(for: id)
    default: break
    }
  }

  /// Begins a chat with somebody, or goes to the one there is.
  func begin(_ name: String) async throws {
    let name = name.trimmingCharacters(in: .whitespaces)
    guard !name.isEmpty else { return }
    let conversation = try await client.open(.direct(UserID(rawValue: name)))
    // It is in the list once that has heard of it.
    for await update in client.conversations.changes
    where update.snapshot.contains(where: { $0.id == conversation }) { break }
    try await open(conversation)
  }

  /// Sends to the chat in which it was written, whichever is open by now. What can't be sent comes back to whoever wrote it.
  private func send(_ request: PageRequest) async throws {
    guard let conversation = request.conversation, let text = request.text,
      text.contains(where: { !$0.isWhitespace })
    else { return }
    do {
      try await send(TextContent(calling: text), request, in: client.context(for: conversation))
      show([.sent])
    } catch {
      if chat?.context.conversation == conversation {
        show(returned(text, request))
      } else {
        try await client.conversations.setDraft(text, for: conversation)
      }
      throw error
    }
  }

  private func send(_ content: TextContent, _ request: PageRequest, in context: ChatContext) async throws {
    if request.action == "edit", let id = request.messageID {
      return try await context.messenger.edit(id, to: content)
    }
    if request.action == "reply", let id = request.messageID {
      try await context.messenger.send(content, replyingTo: id)
    } else {
      try await context.messenger.send(content)
    }
    // Who writes wants to see it: it comes to stand at the end.
    if context.hasMoreNextMessages { try await context.jumpToNewest() }
  }

  private func returned(_ text: String, _ request: PageRequest) -> [PagePatch] {
    guard let id = request.messageID else { return [.compose("restore", nil, text)] }
    if request.action == "edit" { return [.compose("edit", id, text)] }
    let message = chat?.context.messages.first { $0.message?.id == id }?.message
    return [
      .compose("reply", id, message.map { "\($0.sender.rawValue): \($0.content.displayedText)" } ?? ""),
      .compose("restore", nil, text),
    ]
  }

  private func keepDraft(_ request: PageRequest) async throws {
    guard let conversation = request.conversation, let text = request.text else { return }
    try await client.conversations.setDraft(text, for: conversation)
  }

  private func search(_ text: String) async throws {
    let found = text.isEmpty ? [] : try await client.searchMessages(text, limit: 30)
    let names = Dictionary(
      client.conversations.conversations.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
    let rows = found.map { message in
      HTML(.li) {
        HTML(
          .button,
          [
            .plainButton, .class("chat"), .data("do", "open"),
            .data("chat", String(message.conversation.rawValue)),
            .data("message", String(message.id.rawValue)),
          ]
        ) {
          HTML(.span, [.class("name"), .ownDirection]) { HTML(names[message.conversation] ?? "") }
          HTML(.time, [.data("time", String(message.time.rawValue)), .data("form", "short")])
          HTML(.span, [.class("last"), .ownDirection]) {
            HTML("\(message.sender.rawValue): \(message.content.displayedText)")
          }
        }
      }
    }
    let none = HTML(.li, [.class("empty")]) {
      HTML("Nothing found. Only what is on this device is searched.")
    }
    show([.fill(.results, text.isEmpty ? .empty : HTML(rows.isEmpty ? [none] : rows))])
  }

  /// Lists the chats that a message can be forwarded to.
  private func chooseChat(for message: LocalMessageID?) {
    guard let message else { return }
    let rows = client.conversations.conversations.map { conversation in
      HTML(.li) {
        HTML(
          .button,
          [
            .plainButton, .class("chat"), .data("do", "forwardTo"),
            .data("message", String(message.rawValue)),
            .data("chat", String(conversation.id.rawValue)),
          ]
        ) {
          Avatar.html(of: conversation.name)
          HTML(.span, [.class("name"), .ownDirection]) { HTML(conversation.name) }
        }
      }
    }
    show([.fill(.chooser, HTML(rows))])
  }
}
