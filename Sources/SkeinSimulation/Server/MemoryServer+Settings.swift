package import SkeinModel
import Synchronization

/// The settings that users give their conversations.
extension MemoryServer {
  /// Stores a setting of a conversation for one of its members, and notifies the member's devices.
  package func set(
    _ setting: ConversationSetting, to isSet: Bool, of ref: ConversationRef, by user: UserID
  ) throws {
    try checkReachable()
    try state.withLock { state in
      guard let room = state.rooms.firstIndex(where: { $0.info.ref == ref.original }),
        state.rooms[room].info.members?.contains(user) == true
      else { throw BackendError(.permanent, "This user is not a member of the conversation.") }
      let option = BackendCapabilities.Settings(setting)
      var settings = state.rooms[room].settings[user] ?? []
      if isSet { settings.insert(option) } else { settings.remove(option) }
      guard settings != state.rooms[room].settings[user] ?? [] else { return }
      state.rooms[room].settings[user] = settings
      state.change += 1
      state.rooms[room].settingsSince[user] = state.change
    }
    poke([user])
  }

  /// A user's settings of a conversation.
  package func settings(of ref: ConversationRef, for user: UserID) -> BackendCapabilities.Settings {
    state.withLock { state in state.rooms.first { $0.info.ref == ref.original }?.settings[user] ?? [] }
  }
}

extension ConversationSettings {
  /// Settings that are all stated.
  init(all settings: BackendCapabilities.Settings) {
    self.init()
    for setting in ConversationSetting.allCases { self[setting] = settings.contains(setting) }
  }
}
