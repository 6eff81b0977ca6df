import Skein
import Testing

@testable import SkeinWeb

@Suite("Rows of the conversation list show settings, and have a menu for them")
struct ConversationRowTests {
  @Test("A muted, a pinned and a marked chat have a mark with words for screen readers")
  func marks() {
    let plain = row(conversation())
    #expect(!plain.contains("role=\"img\" aria-label=\"muted\"") && !plain.contains("unread"))
    let set = row(conversation(isPinned: true, isMuted: true, isMarkedUnread: true))
    for state in ["muted", "pinned", "marked as unread"] {
      #expect(set.contains("role=\"img\" aria-label=\"\(state)\""))
    }
    #expect(set.contains("class=\"unread dot muted\""))
    // A number says more than the dot.
    let unread = row(conversation(isMarkedUnread: true, unread: 2))
    #expect(unread.contains("aria-label=\"2 unread\"") && !unread.contains("marked as unread"))
  }

  @Test("The menu offers the opposite of each setting, and to read a chat that is unread or marked")
  func menu() {
    #expect(
      items(conversation()) == [
        "set muted: Mute", "set pinned: Pin", "set markedUnread: Mark as unread",
      ])
    #expect(
      items(conversation(isPinned: true, isMuted: true, isMarkedUnread: true)) == [
        "unset muted: Unmute", "unset pinned: Unpin", "markRead: Mark as read",
      ])
    #expect(items(conversation(unread: 1)).last == "markRead: Mark as read")
  }

  @Test("An invitation that is not answered has no menu")
  func invitation() {
    let button = "data-do=\"settings\""
    #expect(row(conversation()).contains(button))
    #expect(!row(conversation(invitation: .init(inviter: "bob", isAccepted: false))).contains(button))
  }

  private func row(_ conversation: Conversation) -> String {
    ConversationRow.html(of: conversation, isOpen: false).markup
  }

  /// The requests and the words of the menu's items.
  private func items(_ conversation: Conversation) -> [String] {
    ConversationMenu.html(of: conversation).markup
      .matches(of: /data-do="(\w+)"(?: data-key="(\w+)")?>([^<]*)/)
      .map { "\($0.1)\($0.2.map { " \($0)" } ?? ""): \($0.3)" }
  }

  private func conversation(
    isPinned: Bool = false, isMuted: Bool = false, isMarkedUnread: Bool = false, unread: Int = 0,
    invitation: Conversation.Invitation? = nil
  ) -> Conversation {
    Conversation(
      id: ConversationID(rawValue: 7), ref: nil, type: .direct, peer: "bob", title: nil, isPinned: isPinned,
      isMuted: isMuted, isMarkedUnread: isMarkedUnread, draft: nil, lastMessage: nil,
      lastActivity: Timestamp(milliseconds: 0), unreadCount: unread, unreadIsAtLeast: false,
      unreadMentionCount: 0, failure: nil, invitation: invitation)
  }
}
