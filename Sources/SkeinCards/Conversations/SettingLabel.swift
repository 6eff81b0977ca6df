public import Skein

/// The words and the sign of a setting of a conversation, the same on every surface.
public struct SettingLabel: Sendable, Hashable {
  /// The setting.
  public let setting: ConversationSetting
  /// The sign shown at a conversation with the setting; nil for the mark as unread, which each surface draws as its count of
  /// unread messages.
  public let sign: String?
  /// The words for setting it, such as *mute*.
  public let verb: String
  /// The words for removing it, such as *unmute*.
  public let reverse: String
  /// The words for a conversation with the setting, such as *muted*.
  public let state: String

  /// The labels of all settings, in the order in which they are shown.
  public static let all = [muted, pinned, markedUnread]

  /// The label of `ConversationSetting.muted`.
  public static let muted = SettingLabel(
    setting: .muted, sign: "🔕", verb: "mute", reverse: "unmute", state: "muted")

  /// The label of `ConversationSetting.pinned`.
  public static let pinned = SettingLabel(
    setting: .pinned, sign: "📌", verb: "pin", reverse: "unpin", state: "pinned")

  /// The label of `ConversationSetting.markedUnread`.
  public static let markedUnread = SettingLabel(
    setting: .markedUnread, sign: nil, verb: "mark as unread", reverse: "mark as read",
    state: "marked as unread")
}
