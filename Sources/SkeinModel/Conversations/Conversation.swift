/// A chat in the conversation list: an immutable value; after a change the list publishes a new value.
public struct Conversation: Sendable, Hashable, Identifiable {
  /// The id of the conversation on this device.
  public let id: ConversationID
  /// The backend's id of the conversation; nil until the server has the conversation.
  public let ref: ConversationRef?
  /// The type of chat.
  public let type: ConversationType
  /// The other user of a one-to-one chat. Nil if the user is unknown, or if another stored chat has this
  /// user as its peer.
  public let peer: UserID?
  /// The title; nil if there is none.
  public let title: String?
  /// Whether the conversation is listed above the conversations that are not pinned.
  public let isPinned: Bool
  /// Whether the conversation causes no alerts, except for messages that mention this account.
  public let isMuted: Bool
  /// Whether the user has marked the conversation as unread. This counts in no number of unread messages.
  public let isMarkedUnread: Bool
  /// The text that the user has written but not sent; nil if there is none.
  public let draft: String?
  /// The newest message that is stored here, sent or unsent; nil if there is none.
  public let lastMessage: ChatMessage?
  /// The time of the last activity.
  public let lastActivity: Timestamp
  /// The number of unread messages that are stored on this device or known to be in a gap. A message is
  /// unread if it is countable, comes from another user, is of the current epoch and follows the read mark.
  public let unreadCount: Int
  /// Whether more messages than ``unreadCount`` may be unread, because the number of unread messages in a gap is
  /// unknown.
  public let unreadIsAtLeast: Bool
  /// The number of unread messages that mention this account, whether they are stored on this device or known
  /// to be in a gap.
  public let unreadMentionCount: Int
  /// The reason why the server did not open the conversation, or refused the answer to its invitation; nil if nothing
  /// has failed. The engine opens the conversation again when a message is sent to it.
  public let failure: SendFailure?
  /// The invitation of this account, until the server has confirmed that it was accepted; nil if the account is a member.
  public let invitation: Invitation?

  /// An invitation of this account to a conversation.
  public struct Invitation: Sendable, Hashable {
    /// The user who invites this account; nil if unknown.
    public let inviter: UserID?
    /// Whether the invitation was accepted here. Until then, nothing can be sent to the conversation.
    public let isAccepted: Bool

    package init(inviter: UserID?, isAccepted: Bool) {
      self.inviter = inviter
      self.isAccepted = isAccepted
    }
  }

  package init(
    id: ConversationID, ref: ConversationRef?, type: ConversationType, peer: UserID?, title: String?,
    isPinned: Bool, isMuted: Bool, isMarkedUnread: Bool = false, draft: String?, lastMessage: ChatMessage?,
    lastActivity: Timestamp, unreadCount: Int, unreadIsAtLeast: Bool, unreadMentionCount: Int,
    failure: SendFailure?,
    invitation: Invitation? = nil
  ) {
    self.id = id
    self.ref = ref
    self.type = type
    self.peer = peer
    self.title = title
    self.isPinned = isPinned
    self.isMuted = isMuted
    self.isMarkedUnread = isMarkedUnread
    self.draft = draft
    self.lastMessage = lastMessage
    self.lastActivity = lastActivity
    self.unreadCount = unreadCount
    self.unreadIsAtLeast = unreadIsAtLeast
    self.unreadMentionCount = unreadMentionCount
    self.failure = failure
    self.invitation = invitation
  }

  /// The name to show in a list: the title if there is one, or else the other user, or else the type of chat.
  public var name: String { title ?? peer?.rawValue ?? type.rawValue }

  /// Whether one conversation precedes another in the list: pinned conversations come first, then
  /// conversations with later activity. At equal activity, the conversation that was added first comes first.
  package static func isOrderedBefore(_ left: Conversation, _ right: Conversation) -> Bool {
    if left.isPinned != right.isPinned { return left.isPinned }
    if left.lastActivity != right.lastActivity { return left.lastActivity > right.lastActivity }
    return left.id < right.id
  }
}

/// The type of chat.
public enum ConversationType: String, Sendable, Hashable, Codable {
  /// Between this account and one other user.
  case direct
  /// Between any number of members.
  case group
  /// A chat that is not meant to last.
  case temporary
}
