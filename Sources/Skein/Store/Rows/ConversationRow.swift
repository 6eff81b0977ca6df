public import SkeinStorage

/// A conversation as it is stored.
struct ConversationRow: Mapped, Equatable {
  let id: ConversationID
  var ref: ConversationRef?
  var type: ConversationType
  var peer: UserID?
  var title: String?
  var isPinned: Bool
  var isMuted: Bool
  var draft: String?
  var lastMessage: LocalMessageID?
  var lastActivity: Timestamp
  /// Everything up to here is read.
  var readMark: Rank
  /// The read mark that the server does not know yet.
  var pendingReadMark: Rank?
  var unreadCount: Int
  var unreadIsAtLeast: Bool
  /// Up to where the sync at the stored cursor has seen it.
  var syncedTo: Rank?
  /// Nothing at or below this rank comes back: the conversation was cleared here.
  var clearedUpTo: Rank
  /// The server's time of the last message that was cleared: by it `clearedUpTo` is found again in another epoch.
  var clearedTime: Timestamp?
  /// Whether it was left or its contact removed.
  var isClosed: Bool
  /// Why the server did not open it.
  var refusal: String?
  /// The key under which the server is asked to make a group, every time: it makes one.
  var openingKey: String? = nil
  /// Whether it was deleted here, and nothing has come since.
  var isHidden = false
  /// The database's count of changes when it, or a message of it, last changed.
  var version: Int64 = 0
  /// How many unread messages call this account.
  var unreadMentions = 0
  /// How many of those lie in gaps, by the server's last word and what came since.
  var mentionsInGaps = 0

  static let table = Table(
    "conversation", key: ["id"],
    indexes: [
      Index(["ref"], unique: true, where: "ref IS NOT NULL"),
      Index(["peer"], unique: true, where: "peer IS NOT NULL AND type = 'direct'"),
    ],
    Self.init, Column("id", \.id), Column("ref", \.ref), Column("type", \.type), Column("peer", \.peer),
    Column("title", \.title), Column("is_pinned", \.isPinned), Column("is_muted", \.isMuted),
    Column("draft", \.draft), Column("last_message", \.lastMessage),
    Column("last_activity", \.lastActivity), Column("read_mark", \.readMark),
    Column("pending_read_mark", \.pendingReadMark), Column("unread_count", \.unreadCount),
    Column("unread_is_at_least", \.unreadIsAtLeast), Column("synced_to", \.syncedTo),
    Column("floor", \.clearedUpTo), Column("cleared_time", \.clearedTime), Column("is_closed", \.isClosed),
    Column("refusal", \.refusal), Column("opening_key", \.openingKey),
    Column("is_hidden", \.isHidden), Column("version", \.version),
    Column("unread_mentions", \.unreadMentions), Column("mentions_in_gaps", \.mentionsInGaps))

  /// Whether the list of conversations shows it.
  var isListed: Bool { !isClosed && !isHidden }

  /// The conversation as the app sees it.
  func conversation(lastMessage: ChatMessage?) -> Conversation {
    Conversation(
      id: id, ref: ref, type: type, peer: peer, title: title, isPinned: isPinned, isMuted: isMuted,
      draft: draft, lastMessage: lastMessage, lastActivity: lastActivity, unreadCount: unreadCount,
      unreadIsAtLeast: unreadIsAtLeast, unreadMentionCount: unreadMentions,
      failure: refusal.map { SendFailure(.conversationRefused, $0) })
  }
}

extension ConversationRow {
  /// One that nothing has happened in yet.
  init(
    new id: ConversationID, ref: ConversationRef? = nil, type: ConversationType, peer: UserID? = nil,
    title: String? = nil, openingKey: String? = nil, at time: Timestamp
  ) {
    self.init(
      id: id, ref: ref, type: type, peer: peer, title: title, isPinned: false, isMuted: false, draft: nil,
      lastMessage: nil, lastActivity: time, readMark: .lowest, pendingReadMark: nil, unreadCount: 0,
      unreadIsAtLeast: false, syncedTo: nil, clearedUpTo: .lowest, clearedTime: nil, isClosed: false,
      refusal: nil,
      openingKey: openingKey)
  }
}

/// Stored by its name.
extension ConversationType: ColumnValue {}

/// A conversation that turned out to be another one, for processes that have it open.
struct MergedRow: Mapped, Equatable {
  let conversation: ConversationID
  let target: ConversationID
  /// The database's count of changes once it was merged.
  let version: Int64

  static let table = Table(
    "merged", key: ["conversation"],
    Self.init, Column("conversation", \.conversation), Column("target", \.target),
    Column("version", \.version))
}

/// One member of a conversation.
struct MemberRow: Mapped, Equatable {
  let conversation: ConversationID
  let user: UserID
  /// Up to where they have got its messages, and read them.
  var delivered = Rank.lowest
  var read = Rank.lowest

  static let table = Table(
    "member", key: ["conversation", "user"], clusteredBy: ["conversation", "user"],
    Self.init, Column("conversation", \.conversation), Column("user", \.user),
    Column("delivered", \.delivered), Column("read", \.read))
}
