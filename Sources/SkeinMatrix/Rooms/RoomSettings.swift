import SkeinModel

/// The settings of rooms that all clients of the account share: push rules, tags and room account data.
enum RoomSettings {
  static let rulesType = "m.push_rules"
  static let tagsType = "m.tag"
  static let markType = "m.marked_unread"
  static let favourite = "m.favourite"

  /// The muted rooms by the account's push rules, in the order of their ids: those with an own rule that does not notify.
  /// A rule of the kind `room` leaves mentions, and one of the kind `override` mutes them as well.
  static func muted(by rules: JSONValue) -> [ConversationRef] {
    let own = ["room", "override"].flatMap { rules["global"]?[$0]?.array ?? [] }
    let rooms = own.filter(isMuting).compactMap { $0["rule_id"]?.id("!") }
    return Set(rooms).sorted().map { ConversationRef(rawValue: $0) }
  }

  private static func isMuting(_ rule: JSONValue) -> Bool {
    rule["enabled"]?.bool != false && rule["actions"]?.array?.contains("notify") == false
  }
}

extension JoinedRoom {
  /// The settings that the answer contains. A sync from the beginning omits those that no client has ever set. Mute is not
  /// among them: see ``SyncAnswer/mutedRooms``.
  func settings(isFirst: Bool) -> ConversationSettings {
    let absent = isFirst ? false : nil
    return ConversationSettings(
      isPinned: accountData(RoomSettings.tagsType).map { $0["tags"]?[RoomSettings.favourite] != nil }
        ?? absent,
      isMarkedUnread: accountData(RoomSettings.markType).map { $0["unread"]?.bool == true } ?? absent)
  }
}
