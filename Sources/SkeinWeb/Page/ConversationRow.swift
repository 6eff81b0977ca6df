import Skein
import SkeinCards

/// A row of the list of conversations.
struct ConversationRow {
  static func html(of conversation: Conversation, isOpen: Bool) -> HTML {
    HTML(.li, [chat(conversation)]) {
      HTML(
        .button,
        [
          .plainButton, .class("chat"), .data("do", "open"), chat(conversation),
          .aria("current", isOpen ? "true" : "false"),
        ]
      ) {
        Avatar.html(of: conversation.name)
        HTML(.span, [.class("name"), .ownDirection]) { HTML(conversation.name) }
        if conversation.lastMessage != nil {
          HTML(.time, [.data("time", String(conversation.lastActivity.rawValue)), .data("form", "short")])
        }
        HTML(.span, [.class("last"), .ownDirection]) { HTML(preview(of: conversation)) }
        HTML(.span, [.class("marks")]) {
          for label in [SettingLabel.muted, .pinned] where conversation[label.setting] { mark(label) }
          if conversation.unreadCount > 0 {
            unread(in: conversation)
          } else if conversation.isMarkedUnread {
            dot(in: conversation)
          }
        }
      }
      // An invitation has no settings until it is accepted.
      if !conversation.asksToJoin { settings(of: conversation) }
    }
  }

  private static func chat(_ conversation: Conversation) -> HTML.Attribute {
    .data("chat", String(conversation.id.rawValue))
  }

  private static func preview(of conversation: Conversation) -> String {
    if conversation.asksToJoin, let inviter = conversation.invitation?.inviter {
      return "Invitation from \(inviter.rawValue)"
    }
    if let text = conversation.invitationText { return text }
    if let draft = conversation.draft { return "Draft: \(draft)" }
    guard let message = conversation.lastMessage else { return "No messages yet" }
    let sender = message.isOwn ? "You: " : conversation.type == .direct ? "" : "\(message.sender.rawValue): "
    return sender + message.content.displayedText
  }

  private static func mark(_ label: SettingLabel) -> HTML {
    HTML(
      .span, [.class("mark"), .role("img"), .aria("label", label.state), .title(label.state)]
    ) { HTML(label.sign ?? "") }
  }

  /// The number of unread messages.
  private static func unread(in conversation: Conversation) -> HTML {
    let count = "\(conversation.unreadCount)\(conversation.unreadIsAtLeast ? "+" : "")"
    let calls = conversation.unreadMentionCount > 0
    return HTML(
      .span,
      [
        .class("unread", conversation.isMuted ? "muted" : ""), .role("img"),
        .aria("label", "\(count) unread\(calls ? ", you are mentioned" : "")"),
      ]
    ) { HTML(calls ? "@ \(count)" : count) }
  }

  /// The dot of a chat that is only marked as unread.
  private static func dot(in conversation: Conversation) -> HTML {
    HTML(
      .span,
      [
        .class("unread", "dot", conversation.isMuted ? "muted" : ""), .role("img"),
        .aria("label", SettingLabel.markedUnread.state), .title(SettingLabel.markedUnread.state),
      ])
  }

  /// The button that opens the chat's ``ConversationMenu``.
  private static func settings(of conversation: Conversation) -> HTML {
    HTML(
      .button,
      [
        .plainButton, .class("settings"), .data("do", "settings"), chat(conversation),
        .aria("label", "Settings of \(conversation.name)"), .aria("haspopup", "menu"),
        .aria("expanded", "false"), .title("Settings"),
      ]
    ) { HTML("⋮") }
  }
}
