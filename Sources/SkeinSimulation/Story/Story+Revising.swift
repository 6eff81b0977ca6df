import Skein

/// What people do to messages that are there.
extension Story {
  func pin(in chat: ConversationID, on device: Device) {
    if let message = pick(sent(in: chat, on: device)) { pin(message, on: device) }
  }

  private func pin(_ message: ChatMessage, on device: Device) {
    begin(.pin, "\(device.name) \(message.isPinned ? "unpins" : "pins") \(message.id.rawValue)")
    guard let messenger = device.chat(message.conversation)?.messenger else { return }
    device.perform("pin") { _ in
      if message.isPinned {
        try await messenger.unpin(message.id)
      } else {
        try await messenger.pin(message.id)
      }
    }
  }

  func react(in chat: ConversationID, on device: Device) {
    guard let message = pick(sent(in: chat, on: device)) else { return }
    let keys: [ReactionKey] = ["👍", "🎉", "❤️"]
    react(keys[generator.below(keys.count)], to: message, isSet: generator.happens(perMille: 700), on: device)
  }

  private func react(_ key: ReactionKey, to message: ChatMessage, isSet: Bool, on device: Device) {
    begin(
      .react, "\(device.name) \(isSet ? "reacts" : "does not react any more") to \(message.id.rawValue)")
    guard let messenger = device.chat(message.conversation)?.messenger else { return }
    device.perform("react") { _ in
      if isSet {
        try await messenger.addReaction(key, to: message.id)
      } else {
        try await messenger.removeReaction(key, from: message.id)
      }
    }
  }

  func edit(in chat: ConversationID, on device: Device) {
    if let message = pick(revisable(in: chat, on: device).filter(\.isOwn)) { edit(message, on: device) }
  }

  private func edit(_ message: ChatMessage, on device: Device) {
    guard message.kind == TextContent.kind, let token = Token.of(message) else { return }
    tokens += 1
    let text = Token.edited(token, tokens)
    let mayHaveArrived = ledger.attempts(of: message.messageID, from: device.name)?.wasUnknown == true
    if message.status == .failed || message.status != .sent && !mayHaveArrived {
      ledger.edits(message.messageID, on: device.name)
    }
    begin(.edit, "\(device.name) edits \(message.id.rawValue) to \(text)")
    guard let messenger = device.chat(message.conversation)?.messenger else { return }
    device.perform("edit") { _ in try await messenger.edit(message.id, to: TextContent(text)) }
  }

  /// Only sent messages: unsent ones are taken back by another action, which keeps account of it.
  func recall(in chat: ConversationID, on device: Device) {
    if let message = pick(sent(in: chat, on: device).filter(\.isOwn)) { recall(message, on: device) }
  }

  private func recall(_ message: ChatMessage, on device: Device) {
    begin(.recall, "\(device.name) recalls \(message.id.rawValue)")
    ledger.recalls(message.messageID)
    guard let messenger = device.chat(message.conversation)?.messenger else { return }
    device.perform("recall") { _ in try await messenger.recall(message.id) }
  }

  private func revisable(in chat: ConversationID, on device: Device) -> [ChatMessage] {
    device.chat(chat).map { revisable($0) } ?? []
  }

  private func revisable(_ context: ChatContext) -> [ChatMessage] {
    context.messages.compactMap(\.message).filter { !$0.isRecalled }
  }

  private func sent(in chat: ConversationID, on device: Device) -> [ChatMessage] {
    revisable(in: chat, on: device).filter { $0.status == .sent }
  }

  private func pick(_ messages: [ChatMessage]) -> ChatMessage? {
    messages.isEmpty ? nil : messages[generator.below(messages.count)]
  }
}
