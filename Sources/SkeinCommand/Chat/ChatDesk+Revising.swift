import Skein

/// Changes of messages. The chat's list shows their outcome.
extension ChatDesk {
  func edit(_ text: String) async throws {
    let chat = try openChat()
    let message = try message(1, of: chat) { $0.isOwn && !$0.isRecalled && $0.kind == TextContent.kind }
    try await chat.messenger.edit(message.id, to: TextContent(calling: text))
  }

  func recall(_ number: Int) async throws {
    let chat = try openChat()
    try await chat.messenger.recall(try message(number, of: chat) { $0.isOwn && !$0.isRecalled }.id)
  }

  func react(_ key: ReactionKey, _ number: Int, isSet: Bool) async throws {
    let chat = try openChat()
    let id = try message(number, of: chat) { $0.status == .sent && !$0.isRecalled }.id
    if isSet {
      try await chat.messenger.addReaction(key, to: id)
    } else {
      try await chat.messenger.removeReaction(key, from: id)
    }
  }

  func setFlag(_ flag: MessageFlag, _ number: Int, to isSet: Bool) async throws {
    let chat = try openChat()
    let id = try message(number, of: chat) { $0.status == .sent && !$0.isRecalled }.id
    try await chat.messenger.setFlag(flag, on: id, to: isSet)
  }

  func reply(to number: Int, _ text: String) async throws {
    let chat = try openChat()
    let target = try message(number, of: chat) {
      !$0.isRecalled && ($0.status == .sent || $0.status.isWaiting)
    }
    await output.show([
      .stored(try await chat.messenger.send(TextContent(calling: text), replyingTo: target.id))
    ])
  }

  /// The n-th message that satisfies a condition, counted from the end.
  private func message(_ number: Int, of chat: ChatContext, where isMeant: (ChatMessage) -> Bool) throws
    -> ChatMessage
  {
    let meant = chat.messages.compactMap(\.message).filter(isMeant)
    guard number <= meant.count else {
      throw UsageError(
        meant.isEmpty
          ? "No message shown here allows that." : "Only \(meant.count) messages shown here allow that."
      )
    }
    return meant[meant.count - number]
  }
}
