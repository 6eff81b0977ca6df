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
  /// The rank up to which everything was read.
  var readMark: Rank
  /// The read mark that is still to be sent to the server.
  var pendingReadMark: Rank?
  var unreadCount: Int
  var unreadIsAtLeast: Bool
  /// The last rank that the syncs have covered, as of the stored cursor.
  var syncedTo: Rank?
  /// The rank up to which the conversation was cleared here: no message at or below it is stored again.
  var clearedUpTo: Rank
  /// The server's time of the last cleared message. In a later epoch, `clearedUpTo` is found again by this
  /// time.
  var clearedTime: Timestamp?
  /// Whether the group was left, or the contact was removed.
  var isClosed: Bool
  /// The reason why the conversation was not opened: the server refused the opening, or the outbox gave up.
  var refusal: String?
  /// The key sent with every attempt to create the group, so that the server creates the group only once.
  var openingKey: String? = nil
  /// Whether the conversation was deleted here. A new message, or opening the conversation again, sets this
  /// to false.
  var isHidden = false
  /// The change counter when the conversation or one of its messages last changed.
  var version: Int64 = 0
  /// The number of unread messages that mention this account.
  var unreadMentions = 0
  /// The number of unread mentions in gaps, from the server's last count. Filling the gaps reduces this
  /// number.
  var mentionsInGaps = 0
  /// The message of the server's read mark, while this message has no place here.
  var waitingReadMark: ServerMessageID?
  /// The state of the invitation of this account; nil if the account is a member.
  var invitation: InvitationState?
  /// The user who invites this account.
  var inviter: UserID?
  /// When the conversation was last closed. Nil if that was never, or an older version closed it.
  var closed: Timestamp?
  var isMarkedUnread = false
  /// The settings that the server had set when it stated them last.
  var serverSettings: BackendCapabilities.Settings = []
  /// The settings that were set or removed on this device, and that the server has neither confirmed nor refused.
  var unconfirmedSettings: BackendCapabilities.Settings = []

  static let table = Table(
    "conversation", key: ["id"],
    indexes: [
      Index(["ref"], unique: true, where: "ref IS NOT NULL"),
      Index(["peer"], unique: true, where: "peer IS NOT NULL AND type = 'direct'"),
      Index(["opening_key"], where: "opening_key IS NOT NULL"),
      Index(["id"], where: "pending_read_mark IS NOT NULL"),
      Index(["id", "unconfirmed_settings"], where: "unconfirmed_settings <> 0"),
      Index(
        ["is_pinned", "last_activity", "is_muted", "unread_count"], where: "is_closed = 0 AND is_hidden = 0"),
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
    Column("unread_mentions", \.unreadMentions), Column("mentions_in_gaps", \.mentionsInGaps),
    Column("waiting_read_mark", \.waitingReadMark), Column("invitation", \.invitation),
    Column("inviter", \.inviter), Column("closed", \.closed), Column("is_marked_unread", \.isMarkedUnread),
    Column("server_settings", \.serverSettings), Column("unconfirmed_settings", \.unconfirmedSettings))

  /// The server's time of the last message that was cleared in an earlier epoch; nil if its place in the current epoch is
  /// known, or if its time is not.
  var clearedTimeToFind: Timestamp? {
    clearedUpTo > .unplaced && clearedUpTo.isEarlier ? clearedTime : nil
  }

  /// Whether the list of conversations shows the conversation.
  var isListed: Bool { !isClosed && !isHidden }

  /// Whether unread messages of the conversation are counted.
  var countsUnread: Bool { !isClosed && invitation == nil }

  /// The ref, if this account is a member: the server returns no messages to others.
  var joinedRef: ConversationRef? { invitation == nil ? ref : nil }

  /// The id of the conversation in the contact list; nil if it can't be there, or if the server's ref of the group is not
  /// known yet.
  var contactID: Contact.ID? {
    switch type {
    case .direct: peer.map(Contact.ID.user)
    case .group: ref.map(Contact.ID.group)
    case .temporary: nil
    }
  }

  /// The public value.
  func conversation(lastMessage: ChatMessage?) -> Conversation {
    Conversation(
      id: id, ref: ref, type: type, peer: peer, title: title, isPinned: isPinned, isMuted: isMuted,
      isMarkedUnread: isMarkedUnread, draft: draft, lastMessage: lastMessage, lastActivity: lastActivity,
      unreadCount: unreadCount,
      unreadIsAtLeast: unreadIsAtLeast, unreadMentionCount: unreadMentions,
      failure: refusal.map { SendFailure(.conversationRefused, $0) },
      invitation: invitation.map { .init(inviter: inviter, isAccepted: $0 == .accepted) })
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

/// The state of an invitation, until the account is a member.
enum InvitationState: String, ColumnValue {
  /// The user has not accepted the invitation. If the conversation is closed, the invitation was declined or withdrawn.
  case pending
  /// The user has accepted the invitation; an operation of the outbox informs the server.
  case accepted
}

/// A conversation that was merged into another one. Other processes may still have the merged conversation
/// open.
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
  /// The ranks of the last messages that the member has received (`delivered`) and read (`read`).
  var delivered = Rank.lowest
  var read = Rank.lowest
  /// The messages of the last reported marks, while these messages have no place here.
  var waitingDelivered: ServerMessageID?
  var waitingRead: ServerMessageID?

  static let table = Table(
    "member", key: ["conversation", "user"], clusteredBy: ["conversation", "user"],
    Self.init, Column("conversation", \.conversation), Column("user", \.user),
    Column("delivered", \.delivered), Column("read", \.read), Column("waiting_delivered", \.waitingDelivered),
    Column("waiting_read", \.waitingRead))
}
