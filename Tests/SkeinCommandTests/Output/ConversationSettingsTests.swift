import Skein
import Testing

@testable import SkeinCommand

@Suite("Surfaces show the settings of conversations")
struct ConversationSettingsTests {
  @Test("The list has a column for settings only if a chat has any")
  func list() {
    var surface = PlainSurface(account: "alice")
    let plain = [conversation(1, "bob", unread: 2), conversation(2, "carol")]
    #expect(surface.text(for: .list(plain)) == "  bob    2 unread  \n  carol            \n")
    let set = [
      conversation(1, "bob", isPinned: true, isMuted: true, unread: 2),
      conversation(2, "carol", isMuted: true),
      conversation(3, "dave", isMarkedUnread: true),
    ]
    #expect(
      surface.text(for: .list(set)) == """
          bob    2 unread          pinned, muted  \("")
          carol                    muted          \("")
          dave   marked as unread                 \("")

        """)
  }

  @Test("New messages of a muted chat are reported only if they mention the account")
  func muted() {
    var surface = PlainSurface(account: "alice")
    func change(_ unread: Int, mentions: Int = 0) -> ChatEvent {
      .conversation(
        .changed(
          from: conversation(1, "bob", isMuted: true),
          to: conversation(1, "bob", isMuted: true, unread: unread, mentions: mentions), at: 0))
    }
    #expect(surface.text(for: change(1)) == "")
    #expect(surface.text(for: change(2, mentions: 1)) == "-- bob: 2 unread, 1 mention you\n")
    #expect(surface.text(for: change(3, mentions: 1)) == "")
  }

  @Test("A changed setting is reported, but not that opening a chat has removed its mark as unread")
  func changes() {
    var surface = PlainSurface(account: "alice")
    let (before, after) = (conversation(1, "bob"), conversation(1, "bob", isMarkedUnread: true))
    let (set, removed) = (
      ChatEvent.conversation(.changed(from: before, to: after, at: 0)),
      ChatEvent.conversation(.changed(from: after, to: before, at: 0))
    )
    #expect(surface.text(for: set) == "-- bob: marked as unread\n")
    #expect(surface.text(for: removed) == "-- bob: no longer marked as unread\n")
    _ = surface.text(for: .opened(before.id, name: "bob", count: 0, hasMore: false))
    #expect(surface.text(for: removed) == "")
  }

  @Test("The record for scripts has the settings that are set")
  func record() {
    var surface = JSONSurface()
    let set = conversation(1, "bob", isPinned: true, isMuted: true)
    #expect(
      surface.text(for: .conversation(.inserted(set, at: 0, isMove: false))) == """
        {"change":"inserted","event":"conversation","id":1,"index":0,"isMuted":true,"isPinned":true,\
        "name":"bob","unread":0,"unreadIsAtLeast":false}

        """)
  }

  private func conversation(
    _ id: Int64, _ name: String, isPinned: Bool = false, isMuted: Bool = false, isMarkedUnread: Bool = false,
    unread: Int = 0, mentions: Int = 0
  ) -> Conversation {
    Conversation(
      id: ConversationID(rawValue: id), ref: nil, type: .direct, peer: UserID(rawValue: name), title: nil,
      isPinned: isPinned, isMuted: isMuted, isMarkedUnread: isMarkedUnread, draft: nil, lastMessage: nil,
      lastActivity: Timestamp(milliseconds: 0), unreadCount: unread, unreadIsAtLeast: false,
      unreadMentionCount: mentions, failure: nil)
  }
}
