import Skein

/// Revisions of messages: edits, recalls, reactions, pins and stars.
extension Story {
  func flag(in chat: ConversationID, on device: Device) {
    guard let message = pick(sent(in: chat, on: device)) else { return }
    if generator.happens(perMille: 500) { star(message, on: device) } else { pin(message, on: device) }
  }

  func star(_ message: ChatMessage, on device: Device) {
    begin(.flag, "\(device.name) \(message.isStarred ? "unstars" : "stars") \(message.id.rawValue)")
    intend(.flag(.star, of: device.user), .isSet(!message.isStarred), of: message, on: device) { messenger in
      if message.isStarred {
        try await messenger.unstar(message.id)
      } else {
        try await messenger.star(message.id)
      }
    }
  }

  func pin(_ message: ChatMessage, on device: Device) {
    begin(.flag, "\(device.name) \(message.isPinned ? "unpins" : "pins") \(message.id.rawValue)")
    intend(.flag(.pin, of: nil), .isSet(!message.isPinned), of: message, on: device) { messenger in
      if message.isPinned {
        try await messenger.unpin(message.id)
      } else {
        try await messenger.pin(message.id)
      }
    }
  }

  /// Makes two devices pin a message. The first device then unpins the message while the device's own pin may
  /// still wait behind texts.
  func pinTogether(in chat: ConversationID, on device: Device) {
    guard let message = pick(sent(in: chat, on: device).filter { !$0.isPinned }),
      let other = devices.first(where: { $0 !== device && shown(message.target, on: $0)?.isPinned == false })
    else { return }
    begin(.pinTogether, "\(device.name) and \(other.name) are about to pin \(message.id.rawValue)")
    send(8, to: chat, on: device)
    let togglePin = { [self] (device: Device, isPinned: Bool) in
      guard let message = shown(message.target, on: device), message.isPinned == isPinned else { return }
      pin(message, on: device)
    }
    repairs.append((step + 1, { togglePin(device, false) }))
    repairs.append((step + 1, { togglePin(other, false) }))
    repairs.append((step + 2 + generator.below(3), { togglePin(device, true) }))
  }

  /// A sent message as a device shows it now.
  private func shown(_ target: Intention.Target, on device: Device) -> ChatMessage? {
    device.followed.flatMap { revisable($0) }.first { $0.target == target && $0.status == .sent }
  }

  func react(in chat: ConversationID, on device: Device) {
    guard let message = pick(sent(in: chat, on: device)) else { return }
    let keys: [ReactionKey] = ["👍", "🎉", "❤️"]
    react(keys[generator.below(keys.count)], to: message, isSet: generator.happens(perMille: 700), on: device)
  }

  func react(_ key: ReactionKey, to message: ChatMessage, isSet: Bool, on device: Device) {
    begin(
      .react, "\(device.name) \(isSet ? "reacts" : "does not react any more") to \(message.id.rawValue)")
    let isShown = message.has(key, by: device.user)
    intend(
      .reaction(device.user, key), .isSet(isSet), of: message, on: device, isChange: isShown != isSet
    ) { messenger in
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

  func edit(_ message: ChatMessage, on device: Device) {
    guard message.kind == TextContent.kind, let token = Token.of(message) else { return }
    tokens += 1
    let text = Token.edited(token, tokens)
    let mayHaveArrived = ledger.attempts(of: message.messageID, from: device.name)?.wasUnknown == true
    if message.status == .failed || message.status != .sent && !mayHaveArrived {
      ledger.edits(message.messageID, on: device.name)
    }
    begin(.edit, "\(device.name) edits \(message.id.rawValue) to \(text)")
    intend(.text, .text(text), of: message, on: device) {
      try await $0.edit(message.id, to: TextContent(text))
    }
  }

  /// Recalls a sent message. For unsent messages the story has the action `cancel`, which records the
  /// cancellation.
  func recall(in chat: ConversationID, on device: Device) {
    if let message = pick(sent(in: chat, on: device).filter(\.isOwn)) { recall(message, on: device) }
  }

  func recall(_ message: ChatMessage, on device: Device) {
    begin(.recall, "\(device.name) recalls \(message.id.rawValue)")
    ledger.recalls(message.messageID)
    intend(.recall, .isSet(true), of: message, on: device) { try await $0.recall(message.id) }
  }

  /// Recalls or edits a message whose outcome is unknown.
  func reviseUncertain(on device: Device) {
    let own = device.followed.flatMap { revisable($0) }.filter { $0.status == .uncertain }
    guard let message = pick(own) else { return }
    begin(.reviseUncertain, "\(device.name) acts on the uncertain \(message.id.rawValue)")
    if generator.happens(perMille: 600) { recall(message, on: device) } else { edit(message, on: device) }
  }

  /// Reverts or replaces the last revision of a device, possibly while that revision is still in flight.
  func revertAction(on device: Device) {
    guard let last = intentions.all.last(where: { $0.device == device.name }) else { return }
    let shown = device.followed.flatMap { revisable($0) }
    guard let message = shown.first(where: { $0.target == last.target }) else { return }
    begin(.revertAction, "\(device.name) reverts its action on \(message.id.rawValue)")
    switch last.field {
    case .text: edit(message, on: device)
    case .flag(.star, _): star(message, on: device)
    case .flag: pin(message, on: device)
    case .reaction(_, let key):
      react(key, to: message, isSet: !message.has(key, by: device.user), on: device)
    case .recall: break
    }
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

  /// Picks a message, often a message that any device has revised recently.
  private func pick(_ messages: [ChatMessage]) -> ChatMessage? {
    let known = messages.filter { recent.contains($0.target) }
    let choice = !known.isEmpty && generator.happens(perMille: 400) ? known : messages
    return choice.isEmpty ? nil : choice[generator.below(choice.count)]
  }
}

extension ChatMessage {
  var target: Intention.Target { Intention.Target(sender: sender, message: messageID) }

  fileprivate func has(_ key: ReactionKey, by user: UserID) -> Bool {
    reactions.contains { $0.key == key && $0.isBy(user) }
  }
}
