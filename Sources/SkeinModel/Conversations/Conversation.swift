/// A chat as the conversation list shows it: a value that never changes; the list publishes a new one instead.
public struct Conversation: Sendable, Hashable, Identifiable {
  /// The conversation on this device.
  public let id: ConversationID
  /// The backend's name for it; nil until the server knows it.
  public let ref: ConversationRef?
  /// What kind of chat it is.
  public let type: ConversationType
  /// The other side of a one-to-one chat.
  public let peer: UserID?
  /// What people call it; nil where only its members name it.
  public let title: String?
  /// Whether it stands above the others.
  public let isPinned: Bool
  /// Whether its messages alert.
  public let isMuted: Bool
  /// Text not sent yet; nil where there is none.
  public let draft: String?
  /// Its newest message, sent or not.
  public let lastMessage: ChatMessage?
  /// When something last happened in it.
  public let lastActivity: Timestamp
  /// Messages after the read mark that count, whether stored here or known to lie in a gap.
  public let unreadCount: Int
  /// Whether more may be unread than ``unreadCount``: a gap does not say what it holds.
  public let unreadIsAtLeast: Bool
  /// How many of the unread messages call this account, whether stored here or known to lie in a gap.
  public let unreadMentionCount: Int
  /// Why the server did not open it; the next message that is sent to it has it asked again.
  public let failure: SendFailure?

  package init(
    id: ConversationID, ref: ConversationRef?, type: ConversationType, peer: UserID?, title: String?,
    isPinned: Bool, isMuted: Bool, draft: String?, lastMessage: ChatMessage?, lastActivity: Timestamp,
    unreadCount: Int, unreadIsAtLeast: Bool, unreadMentionCount: Int, failure: SendFailure?
  ) {
    self.id = id
    self.ref = ref
    self.type = type
    self.peer = peer
    self.title = title
    self.isPinned = isPinned
    self.isMuted = isMuted
    self.draft = draft
    self.lastMessage = lastMessage
    self.lastActivity = lastActivity
    self.unreadCount = unreadCount
    self.unreadIsAtLeast = unreadIsAtLeast
    self.unreadMentionCount = unreadMentionCount
    self.failure = failure
  }

  /// What a list shows as its name: the title, else the other side, else what kind of chat it is.
  public var name: String { title ?? peer?.rawValue ?? type.rawValue }

  /// The list's order: pinned first, then the latest activity, then the older conversation.
  package static func isOrderedBefore(_ left: Conversation, _ right: Conversation) -> Bool {
    if left.isPinned != right.isPinned { return left.isPinned }
    if left.lastActivity != right.lastActivity { return left.lastActivity > right.lastActivity }
    return left.id < right.id
  }
}

/// What kind of chat a conversation is.
public enum ConversationType: String, Sendable, Hashable, Codable {
  /// Between this account and one other user.
  case direct
  /// Among any number of members.
  case group
  /// One that is not meant to last.
  case temporary
}
