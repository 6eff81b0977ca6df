import Skein

extension Story {
  /// Writes the draft of a chat, or removes it.
  func writeDraft(in chat: ConversationID, on device: Device) {
    let draft = generator.happens(perMille: 200) ? "" : makeToken(on: device)
    begin(.writeDraft, "\(device.name) drafts \(draft) in \(chat.rawValue)")
    // A chat without a draft gets the draft of the chat that is merged into it.
    change(.draft, of: chat, to: draft.isEmpty ? nil : draft, on: device) {
      try await $0.setDraft(draft, for: chat)
    }
  }

  /// Pins or mutes a group, or undoes this. The contact list decides about chats with one user.
  func changeSettings(of chat: ConversationID, on device: Device) {
    let conversation = device.client?.conversations.conversations.first { $0.id == chat }
    guard let conversation, conversation.type == .group else { return }
    let isPin = generator.happens(perMille: 500)
    let isSet = isPin ? !conversation.isPinned : !conversation.isMuted
    let name = "\(isSet ? "" : "un")\(isPin ? "pins" : "mutes")"
    begin(.changeSettings, "\(device.name) \(name) \(chat.rawValue)")
    // A chat is pinned or muted if the chat that is merged into it was.
    change(isPin ? .pinned : .muted, of: chat, to: isSet ? "1" : nil, on: device) {
      if isPin {
        try await $0.setPinned(isSet, for: chat)
      } else {
        try await $0.setMuted(isSet, for: chat)
      }
    }
  }

  private func change(
    _ field: SettingsRecord.Field, of chat: ConversationID, to value: String?, on device: Device,
    _ body: @escaping @Sendable (ConversationList) async throws -> Void
  ) {
    let key = SettingsRecord.Key(chat: chat, field: field)
    let (settings, process) = (device.settings, device.process)
    settings.asks(key)
    device.perform("change settings") { client in
      do {
        try await body(client.conversations)
        if process?.isDead == false { settings.ended(key, value) }
      } catch {
        if process?.isDead == false { settings.ended(key, nil) }
        throw error
      }
    }
  }
}
