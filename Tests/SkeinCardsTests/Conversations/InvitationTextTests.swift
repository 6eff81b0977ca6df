import Testing

@testable import Skein
@testable import SkeinCards

@Suite("Invitations in words")
struct InvitationTextTests {
  private func chat(_ type: ConversationType, _ inviter: UserID?, isAccepted: Bool? = false) -> Conversation {
    Conversation(
      id: ConversationID(rawValue: 1), ref: nil, type: type, peer: nil, title: "Holiday", isPinned: false,
      isMuted: false, draft: nil, lastMessage: nil, lastActivity: Timestamp(milliseconds: 0), unreadCount: 0,
      unreadIsAtLeast: false, unreadMentionCount: 0, failure: nil,
      invitation: isAccepted.map { .init(inviter: inviter, isAccepted: $0) })
  }

  @Test("The inviter is named if known, an accepted invitation is announced, and a member sees no words")
  func words() {
    #expect(chat(.group, "bob").invitationText == "bob invites you to this group")
    #expect(chat(.direct, "bob").invitationText == "bob invites you to a chat")
    #expect(chat(.group, nil).invitationText == "You are invited to this group")
    #expect(chat(.group, "bob", isAccepted: true).invitationText == "Joining …")
    #expect(chat(.group, "bob", isAccepted: nil).invitationText == nil)
    #expect(
      [nil, true, false].map { chat(.group, "bob", isAccepted: $0).asksToJoin } == [false, false, true])
  }
}
