import SkeinModel

/// How the settings of a conversation change.
///
/// 1. The row shows what was set last on this device until the server has confirmed or refused it, whatever a sync states.
/// 2. Afterwards, the row shows what the server states. A sync that was answered before the server stored the value still
///    states the value before; the next sync corrects this.
/// 3. A setting that the server does not store changes on this device only. It stays unconfirmed, and is sent if the server
///    supports it later.
extension ConversationRow {
  /// The shown value of a setting.
  subscript(setting: ConversationSetting) -> Bool {
    get {
      switch setting {
      case .muted: isMuted
      case .pinned: isPinned
      case .markedUnread: isMarkedUnread
      }
    }
    set {
      switch setting {
      case .muted: isMuted = newValue
      case .pinned: isPinned = newValue
      case .markedUnread: isMarkedUnread = newValue
      }
    }
  }

  /// Sets or removes a setting for the user.
  mutating func set(_ setting: ConversationSetting, to isSet: Bool) {
    self[setting] = isSet
    unconfirmedSettings.insert(.init(setting))
  }

  /// Adopts the settings that the server states, as far as it stores them.
  mutating func adopt(_ stated: ConversationSettings, of supported: BackendCapabilities.Settings) {
    for setting in ConversationSetting.allCases where supported.contains(setting) {
      guard let isSet = stated[setting] else { continue }
      noteServer(setting, isSet)
      if !unconfirmedSettings.contains(setting) { self[setting] = isSet }
    }
  }

  /// Adopts new settings of the contact list, except those that the server stores for conversations.
  mutating func adopt(_ settings: ContactSettings, except supported: BackendCapabilities.Settings) {
    unconfirmedSettings.subtract(BackendCapabilities.Settings([.muted, .pinned]).subtracting(supported))
    adopt(stored: settings, except: supported)
  }

  /// Adopts settings that the contact list has stated earlier. A setting that was changed on this device stays.
  mutating func adopt(stored settings: ContactSettings, except supported: BackendCapabilities.Settings) {
    let stated = ConversationSettings(isMuted: settings.isMuted, isPinned: settings.isPinned)
    adopt(stated, of: .all.subtracting(supported))
  }

  /// Notes that the server has stored a value. If the user has changed the setting meanwhile, the new value stays
  /// unconfirmed.
  mutating func confirm(_ setting: ConversationSetting, _ isSet: Bool) {
    noteServer(setting, isSet)
    if self[setting] == isSet { unconfirmedSettings.remove(.init(setting)) }
  }

  /// Shows the server's value again, since the server has refused a value. If the user has changed the setting
  /// meanwhile, the new value stays unconfirmed.
  mutating func refuse(_ setting: ConversationSetting, _ isSet: Bool) {
    guard self[setting] == isSet else { return }
    unconfirmedSettings.remove(.init(setting))
    self[setting] = serverSettings.contains(setting)
  }

  private mutating func noteServer(_ setting: ConversationSetting, _ isSet: Bool) {
    if isSet {
      serverSettings.insert(.init(setting))
    } else {
      serverSettings.remove(.init(setting))
    }
  }

  /// Takes the settings of a conversation that is merged into this one. Of both unconfirmed values, the own one is kept;
  /// without any, the server's value. A setting that the server does not store is set if either conversation has it.
  mutating func mergeSettings(of other: ConversationRow, onServer supported: BackendCapabilities.Settings) {
    if other.ref != nil { serverSettings = other.serverSettings }
    for setting in ConversationSetting.allCases {
      if !supported.contains(setting) {
        self[setting] = self[setting] || other[setting]
      } else if !unconfirmedSettings.contains(setting) {
        self[setting] = other[setting]
      }
    }
    unconfirmedSettings.formUnion(other.unconfirmedSettings)
  }

  /// Resets the settings of a conversation that is deleted on this device. A setting of the account stays, except the mark
  /// as unread, since the deleted messages count as read on all devices.
  mutating func resetSettings(onServer supported: BackendCapabilities.Settings) {
    if isMarkedUnread { set(.markedUnread, to: false) }
    if !supported.contains(.pinned) { isPinned = false }
  }
}
