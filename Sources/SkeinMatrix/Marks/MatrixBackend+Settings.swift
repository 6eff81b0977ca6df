public import SkeinModel

extension MatrixBackend {
  /// Stores a setting of a room, for all clients of the account.
  public func set(_ setting: ConversationSetting, to isSet: Bool, of conversation: ConversationRef)
    async throws
  {
    switch setting {
    case .muted: try await setMuted(isSet, conversation.rawValue)
    case .pinned: try await setFavourite(isSet, conversation.rawValue)
    case .markedUnread:
      try await calls.put(
        accountData(RoomSettings.markType, of: conversation), ["unread": .bool(isSet)], isRepeatable: true)
    }
  }

  /// A muted room has a rule without an action. Other clients may have disabled the rule, or have muted the room by a rule
  /// of another kind.
  private func setMuted(_ isMuted: Bool, _ room: String) async throws {
    let rules = ["pushrules", "global"]
    if isMuted {
      try await calls.put(rules + ["room", room], ["actions": []], isRepeatable: true)
      try await calls.put(rules + ["room", room, "enabled"], ["enabled": true], isRepeatable: true)
    } else {
      for kind in ["room", "override"] { try await calls.delete(rules + [kind, room]) }
    }
  }

  /// A room that is a favourite keeps the place that another client gave it.
  private func setFavourite(_ isFavourite: Bool, _ room: String) async throws {
    let tags = ["user", user.rawValue, "rooms", room, "tags"]
    if !isFavourite { return try await calls.delete(tags + [RoomSettings.favourite]) }
    let isSet = try await calls.get(tags)["tags"]?[RoomSettings.favourite] != nil
    if !isSet { try await calls.put(tags + [RoomSettings.favourite], [:], isRepeatable: true) }
  }
}
