import Skein
import SkeinCards

/// A row of the list of conversations.
struct ConversationRow {
  static func html(of conversation: Conversation, isOpen: Bool) -> HTML {
    HTML(.li, [.data("chat", String(conversation.id.rawValue))]) {
      HTML(
        .button,
        [
          .plainButton, .class("chat"), .data("do", "open"), .data("chat", String(conversation.id.rawValue)),
          .aria("current", isOpen ? "true" : "false"),
        ]
      ) {
        Avatar.html(of: conversation.name)
        HTML(.span, [.class("name"), .ownDirection]) { HTML(conversation.name) }
        if conversation.lastMessage != nil {
          HTML(.time, [.data("time", String(conversation.lastActivity.rawValue)), .data("form", "short")])
        }
        HTML(.span, [.class("last"), .ownDirection]) { HTML(preview(of: conversation)) }
        if conversation.unreadCount > 0 || conversation.isMarkedUnread { unread(in: conversation) }
      }
    }
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

  /// The number of unread messages, or a dot if the chat is only marked as unread.
  private static func unread(in conversation: Conversation) -> HTML {
    let classes = HTML.Attribute.class("unread", conversation.isMuted ? "muted" : "")
    guard conversation.unreadCount > 0 else {
      return HTML(.span, [classes, .aria("label", "marked as unread")]) { HTML("•") }
    }
    let count = "\(conversation.unreadCount)\(conversation.unreadIsAtLeast ? "+" : "")"
    let calls = conversation.unreadMentionCount > 0
    return HTML(
      .span,
      [
        classes,
        .aria("label", "\(count) unread\(calls ? ", you are mentioned" : "")"),
      ]
    ) { HTML(calls ? "@ \(count)" : count) }
  }
}
