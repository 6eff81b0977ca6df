public import SkeinStorage

/// The stored form of a conversation.
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
  /// The read mark.
  var readMark: Rank
  /// The read mark that has not been sent to the server yet.
  var pendingReadMark: Rank?
  var unreadCount: Int
  var unreadIsAtLeast: Bool
  /// The last rank covered by the sync at the stored cursor.
  var syncedTo: Rank?
  /// Nothing at or below this rank is stored again: the conversation was cleared here.
  var clearedUpTo: Rank
  /// The server's time of the last cleared message, by which `clearedUpTo` is found again in another epoch.
  var clearedTime: Timestamp?
  /// Whether it was left or its contact removed.
  var isClosed: Bool
  /// Why the server did not open it.
  var refusal: String?
  /// The key of every request to create a group, so that the server creates only one.
  var openingKey: String? = nil
  /// Whether it was deleted here, and nothing has been received since.
  var isHidden = false
  /// The change counter at the last change of it or of one of its messages.
  var version: Int64 = 0
  /// The number of unread messages that mention this account.
  var unreadMentions = 0
  /// The number of those in gaps, by the server's last count and later changes.
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

  /// The public value.
  func conversation(lastMessage: ChatMessage?) -> Conversation {
    Conversation(
      id: id, ref: ref, type: type, peer: peer, title: title, isPinned: isPinned, isMuted: isMuted,
      draft: draft, lastMessage: lastMessage, lastActivity: lastActivity, unreadCount: unreadCount,
      unreadIsAtLeast: unreadIsAtLeast, unreadMentionCount: unreadMentions,
      failure: refusal.map { SendFailure(.conversationRefused, $0) })
  }
}

extension ConversationRow {
  /// A new conversation without messages.
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

/// Stored by its raw value.
extension ConversationType: ColumnValue {}

/// A conversation that was merged into another one, for processes that have it open.
struct MergedRow: Mapped, Equatable {
  let conversation: ConversationID
  let target: ConversationID
  /// The change counter of the merge.
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
  /// The last messages that the member has received and read.
  var delivered = Rank.lowest
  var read = Rank.lowest

  static let table = Table(
    "member", key: ["conversation", "user"], clusteredBy: ["conversation", "user"],
    Self.init, Column("conversation", \.conversation), Column("user", \.user),
    Column("delivered", \.delivered), Column("read", \.read))
}
