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

  /// Mutes, pins or marks a chat as unread, or undoes this. If the server does not store a setting, only groups are muted or
  /// pinned: the contact list decides about chats with one user.
  func changeSettings(of chat: ConversationID, on device: Device) {
    let conversation = device.client?.conversations.conversations.first { $0.id == chat }
    let setting = ConversationSetting.allCases[generator.below(ConversationSetting.allCases.count)]
    let isStored = device.abilities.settings.contains(setting)
    guard let conversation, isStored || conversation.type == .group else { return }
    let isSet = conversation.settings[setting] == false
    begin(.changeSettings, "\(device.name) \(isSet ? "sets" : "removes") \(setting) of \(chat.rawValue)")
    // Reading removes the mark as unread, so it is not expected. Without the server, a chat is pinned or muted if the chat
    // that is merged into it was.
    let isExpected = setting != .markedUnread
    let field = isStored ? nil : SettingsRecord.Field(rawValue: setting.rawValue)
    let wish =
      isStored && isExpected
      ? device.settings.wishes(setting, to: isSet, of: conversation.ref?.original) : nil
    change(field, wish, of: chat, to: isSet ? "1" : nil, on: device) {
      switch setting {
      case .muted: try await $0.setMuted(isSet, for: chat)
      case .pinned: try await $0.setPinned(isSet, for: chat)
      case .markedUnread: try await $0.setMarkedUnread(isSet, for: chat)
      }
    }
  }

  private func change(
    _ field: SettingsRecord.Field?, _ wish: Int? = nil, of chat: ConversationID, to value: String?,
    on device: Device,
    _ body: @escaping @Sendable (ConversationList) async throws -> Void
  ) {
    let key = field.map { SettingsRecord.Key(chat: chat, field: $0) }
    let (settings, process) = (device.settings, device.process)
    if let key { settings.asks(key) }
    device.perform("change settings") { client in
      do {
        try await body(client.conversations)
        if process?.isDead == false {
          if let key { settings.ended(key, value) }
          if let wish { settings.granted(wish) }
        }
      } catch {
        if process?.isDead == false, let key { settings.ended(key, nil) }
        throw error
      }
    }
  }

  /// Checks that a device has the settings that the server has, and that the server has the settings that the user made.
  ///
  /// The last of several changes can't be known: requests may overtake each other, and devices may be offline. So a setting
  /// is expected only if the user has changed it once. Restored servers have lost settings, and so have users who left.
  func checkSettings(of device: Device) {
    let supported = device.abilities.settings
    for conversation in device.client.map({ Array($0.conversations.conversations) }) ?? [] {
      guard let ref = conversation.ref, server.shows(ref, to: device.user) else { continue }
      let stored = server.settings(of: ref, for: device.user)
      for setting in ConversationSetting.allCases where supported.contains(setting) {
        ledger.expect(
          conversation.settings[setting] == stored.contains(setting), "U10",
          "\(device.name) and the server differ in the setting \(setting) of \(ref.rawValue)")
      }
    }
    guard !server.wasRestored else { return }
    let all = devices.filter { $0.user == device.user }.flatMap(\.settings.wishes)
    for wish in device.settings.wishes where wish.isGranted {
      let others = all.filter { $0.setting == wish.setting && ($0.ref == nil || $0.ref == wish.ref) }
      guard others.count == 1, let ref = wish.ref, let info = server.info(ref, for: device.user),
        !ledger.wasClosed(info, of: device.user)
      else { continue }
      ledger.expect(
        server.settings(of: ref, for: device.user).contains(wish.setting) == wish.isSet, "U10",
        "\(device.name) has changed the setting \(wish.setting) of \(ref.rawValue), and the server does not have it"
      )
    }
  }
}

extension Conversation {
  /// The settings, all stated.
  fileprivate var settings: ConversationSettings {
    ConversationSettings(isMuted: isMuted, isPinned: isPinned, isMarkedUnread: isMarkedUnread)
  }
}
