import Skein
import SkeinCards

/// The menu of a chat's settings: mute, pin, and mark as unread or as read.
enum ConversationMenu {
  static func html(of conversation: Conversation) -> HTML {
    HTML(.div, [.role("menu"), .aria("label", "Settings of \(conversation.name)")]) {
      for label in [SettingLabel.muted, .pinned] { item(label, in: conversation) }
      // Reading also removes the mark.
      if conversation.unreadCount > 0 || conversation.isMarkedUnread {
        item(conversation, [.data("do", "markRead")], SettingLabel.markedUnread.reverse)
      } else {
        item(.markedUnread, in: conversation)
      }
    }
  }

  private static func item(_ label: SettingLabel, in conversation: Conversation) -> HTML {
    let isSet = conversation[label.setting]
    return item(
      conversation, [.data("do", isSet ? "unset" : "set"), .data("key", label.setting.rawValue)],
      isSet ? label.reverse : label.verb)
  }

  private static func item(
    _ conversation: Conversation, _ action: [HTML.Attribute], _ words: String
  ) -> HTML {
    HTML(
      .button,
      [.plainButton, .role("menuitem"), .data("chat", String(conversation.id.rawValue))] + action
    ) { HTML(words.prefix(1).uppercased() + words.dropFirst()) }
  }
}
