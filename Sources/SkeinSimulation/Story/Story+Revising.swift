import Skein

/// What people do to messages that are there.
extension Story {
  func revise(in chat: ConversationID, on device: Device) {
    guard let messenger = device.chat(chat)?.messenger else { return }
    let shown = device.chat(chat)?.messages.compactMap(\.message).filter { !$0.isRecalled } ?? []
    let own = shown.filter(\.isOwn), sent = shown.filter { $0.status == .sent }
    switch generator.below(12) {
    case 10...:
      guard let message = pick(sent) else { return }
      world.note("\(device.name) \(message.isPinned ? "unpins" : "pins") \(message.id.rawValue)")
      device.perform("pin") { _ in
        if message.isPinned {
          try await messenger.unpin(message.id)
        } else {
          try await messenger.pin(message.id)
        }
      }
    case 0..<5:
      guard let message = pick(sent) else { return }
      let keys: [ReactionKey] = ["👍", "🎉", "❤️"]
      let key = keys[generator.below(keys.count)]
      let isSet = generator.happens(perMille: 700)
      world.note("\(device.name) \(isSet ? "reacts" : "does not react any more") to \(message.id.rawValue)")
      device.perform("react") { _ in
        if isSet {
          try await messenger.addReaction(key, to: message.id)
        } else {
          try await messenger.removeReaction(key, from: message.id)
        }
      }
    case 5..<8:
      guard let message = pick(own.filter { $0.kind == TextContent.kind }), let token = Token.of(message)
      else {
        return
      }
      tokens += 1
      let text = Token.edited(token, tokens)
      let mayHaveArrived = ledger.attempts(of: message.messageID, from: device.name)?.wasUnknown == true
      if message.status == .failed || message.status != .sent && !mayHaveArrived {
        ledger.edits(message.messageID, on: device.name)
      }
      world.note("\(device.name) edits \(message.id.rawValue) to \(text)")
      device.perform("edit") { _ in try await messenger.edit(message.id, to: TextContent(text)) }
    default:
      // What is not sent is taken back by another action, which keeps account of it.
      guard let message = pick(sent.filter(\.isOwn)) else { return }
      world.note("\(device.name) recalls \(message.id.rawValue)")
      ledger.recalls(message.messageID)
      device.perform("recall") { _ in try await messenger.recall(message.id) }
    }
  }

  private func pick(_ messages: [ChatMessage]) -> ChatMessage? {
    messages.isEmpty ? nil : messages[generator.below(messages.count)]
  }
}
