import Skein

// Records of lists: the conversations, and the messages and gaps of the open chat. Absent fields are nil.

/// How a list changed. A move is a removal followed by an insertion.
struct StepRecord: Codable, Equatable, Sendable {
  enum Change: String, Codable, Sendable {
    case inserted, removed, changed
  }
  var change: Change
  /// The index in the list, from 0, at the moment of this step.
  var index: Int
  /// True if the step is a part of a move, absent otherwise.
  var moves: Bool?

  init(_ change: Change, _ index: Int, moves: Bool? = nil) {
    (self.change, self.index, self.moves) = (change, index, moves)
  }

  init<Item>(_ step: ListStep<Item>) {
    switch step {
    case .inserted(_, let index, let isMove): self.init(.inserted, index, moves: isMove ? true : nil)
    case .removed(_, let index, let isMove): self.init(.removed, index, moves: isMove ? true : nil)
    case .changed(_, _, let index): self.init(.changed, index)
    }
  }
}

struct ConversationRecord: Codable, Equatable, Sendable {
  /// The conversation's local id.
  var id: Int64
  var name: String
  var unread: Int
  /// Whether there may be more unread messages than `unread`.
  var unreadIsAtLeast: Bool
  /// The number of unread messages that mention this account; absent for 0.
  var mentions: Int?
  /// Why the server refused the conversation.
  var reason: String?
  /// The invitation to the conversation; absent for a member.
  var invitation: InvitationRecord?
  /// The settings of the conversation: true, or absent.
  var isMuted: Bool?
  var isPinned: Bool?
  var isMarkedUnread: Bool?

  init(
    id: Int64, name: String, unread: Int, unreadIsAtLeast: Bool, mentions: Int? = nil, reason: String? = nil,
    invitation: InvitationRecord? = nil
  ) {
    (self.id, self.name, self.unread) = (id, name, unread)
    (self.unreadIsAtLeast, self.mentions, self.reason) = (unreadIsAtLeast, mentions, reason)
    self.invitation = invitation
  }

  init(_ conversation: Conversation) {
    self.init(
      id: conversation.id.rawValue, name: conversation.name, unread: conversation.unreadCount,
      unreadIsAtLeast: conversation.unreadIsAtLeast,
      mentions: conversation.unreadMentionCount == 0 ? nil : conversation.unreadMentionCount,
      reason: conversation.failure?.message,
      invitation: conversation.invitation.map {
        InvitationRecord(inviter: $0.inviter?.rawValue, isAccepted: $0.isAccepted)
      })
    isMuted = conversation.isMuted ? true : nil
    isPinned = conversation.isPinned ? true : nil
    isMarkedUnread = conversation.isMarkedUnread ? true : nil
  }
}

struct InvitationRecord: Codable, Equatable, Sendable {
  /// The user who invites this account; absent if unknown.
  var inviter: String?
  /// Whether the invitation was accepted, but not yet confirmed by the server.
  var isAccepted: Bool
}

/// A chat was opened, or its list has jumped to another moment; `count` messages follow.
struct OpenedRecord: Codable, Equatable, Sendable {
  /// The conversation's local id.
  var id: Int64
  var name: String
  var count: Int
  /// Whether `/more` can load messages: there are older messages, or a gap that can be filled.
  var hasMore: Bool
}

struct GapRecord: Codable, Equatable, Sendable {
  enum State: String, Codable, Sendable {
    case open, stalled, unavailable

    init(_ state: MessageGap.State) {
      switch state {
      case .open: self = .open
      case .stalled: self = .stalled
      case .unavailable: self = .unavailable
      }
    }
  }
  var state: State
  var unread: Int?

  init(_ state: State, unread: Int? = nil) { (self.state, self.unread) = (state, unread) }

  init(_ gap: MessageGap) { self.init(State(gap.state), unread: gap.unreadCount) }
}

/// A requested page of messages is now in the list, which has `count` messages.
struct PageRecord: Codable, Equatable, Sendable {
  var count: Int
  /// Whether `/more` can load messages: there are older messages, or a gap that can be filled.
  var hasMore: Bool
  /// True if the list does not reach the chat's newest message, absent otherwise.
  var hasNewer: Bool?
}
