/// The events on the server between two cursors.
public struct SyncBatch: Sendable, Hashable {
  /// The cursor that the batch starts from. If this cursor is not the stored cursor, the engine discards the
  /// batch and fetches again.
  public var from: SyncCursor?
  /// The cursor of the next sync, once the batch is stored.
  public var next: SyncCursor
  /// The epoch of the cursors; nil if the server does not report epochs.
  public var epoch: Epoch?
  /// Whether the server has more events after ``next``; the engine then fetches these events at once. Each
  /// batch covers only the events between its own two cursors.
  public var hasMore: Bool
  /// The conversations with something new.
  public var conversations: [ConversationDelta]
  /// On a server without a contact list, the conversations that this account has left or was removed from, on any device.
  /// The engine closes these conversations. A conversation that is among ``conversations`` in a later batch is opened again.
  /// On other servers the contact list shows what was left.
  ///
  /// On every server, the conversations whose invitation has ended: it was withdrawn, or declined on any device, or the
  /// account became a member and has left the conversation since.
  public var left: [ConversationRef]
  /// The invitations of this account that are new or have changed since ``from``. A batch without ``from`` lists all
  /// pending invitations: the engine drops the others. A conversation that is among ``conversations`` later is no longer
  /// an invitation. Empty if the server adds members without asking them.
  public var invitations: [ConversationInvitation]
  /// All muted conversations of the account, if the server keeps them in one list and the list has changed; nil otherwise.
  /// The list applies to all conversations, ``conversations`` included.
  public var muted: [ConversationRef]?
  /// The current version of the contact list; nil if the server does not report versions. If this version or
  /// the batch's epoch differs from that of the last fetch, the engine fetches the changes of the list.
  public var contactVersion: ContactVersion?
  /// The server's time when it answered; nil if the server does not report its time.
  public var time: Timestamp?

  /// Creates a batch.
  public init(
    from: SyncCursor?, next: SyncCursor, epoch: Epoch? = nil, hasMore: Bool = false,
    conversations: [ConversationDelta], left: [ConversationRef] = [],
    invitations: [ConversationInvitation] = [], muted: [ConversationRef]? = nil,
    contactVersion: ContactVersion? = nil, time: Timestamp? = nil
  ) {
    self.from = from
    self.next = next
    self.epoch = epoch
    self.hasMore = hasMore
    self.conversations = conversations
    self.left = left
    self.invitations = invitations
    self.muted = muted
    self.contactVersion = contactVersion
    self.time = time
  }
}

/// The events in one conversation between two cursors.
public struct ConversationDelta: Sendable, Hashable {
  /// The conversation as it is now.
  public var info: ConversationInfo
  /// The number of messages posted between the batch's two cursors, ``messages`` included, as well as messages that the
  /// server has deleted since. In a first sync, the number of existing messages. If this number is higher than the
  /// number of ``messages``, there is a gap before the messages. If the batch has ``SyncBatch/hasMore``, messages after
  /// ``SyncBatch/next`` are not counted; the next batch counts them. Nil means a gap of unknown size.
  public var count: Int?
  /// The number of countable messages (``IncomingMessage/isCountable``) from others after the read mark, in
  /// the whole conversation; nil if the server does not report this number.
  public var unread: Int?
  /// The number of unread messages that mention this account; nil if the server does not report this number.
  public var unreadMentions: Int?
  /// The newest of the messages that ``count`` counts, in the server's order; empty only if ``count`` is zero.
  public var messages: [IncomingMessage]
  /// Whether the server has nothing before the first message of ``messages``: the conversation starts with this message,
  /// or older messages are permanently unavailable. For no messages: whether the conversation has none. A first sync
  /// whose ``count`` is the number of ``messages`` does not have to state this.
  public var reachesStart: Bool
  /// The token of the page before the first message of ``messages``, on backends with tokens.
  public var previous: HistoryToken?
  /// The current values of messages that were edited, recalled, reacted to or flagged since
  /// ``SyncBatch/from``, without the messages in ``messages``.
  ///
  /// A sync from the beginning contains all messages with a flag here, and may omit the other changed
  /// messages. The engine then drops the flags that it has stored before.
  public var revised: [IncomingMessage]

  /// Creates a delta.
  public init(
    info: ConversationInfo, count: Int?, unread: Int? = nil, unreadMentions: Int? = nil,
    messages: [IncomingMessage], reachesStart: Bool = false, previous: HistoryToken? = nil,
    revised: [IncomingMessage] = []
  ) {
    self.info = info
    self.count = count
    self.unread = unread
    self.unreadMentions = unreadMentions
    self.messages = messages
    self.reachesStart = reachesStart
    self.previous = previous
    self.revised = revised
  }
}

/// An invitation of this account to a conversation that it is not a member of. The account joins with
/// ``ConversationRequest/invitation(_:)``, and declines with ``GroupLeavingBackend/leave(_:)``.
public struct ConversationInvitation: Sendable, Hashable {
  /// The conversation, as far as the server describes it to users who are not members.
  public var info: ConversationInfo
  /// The user who invites this account; nil if the server does not name the user.
  public var inviter: UserID?

  /// Creates an invitation.
  public init(info: ConversationInfo, inviter: UserID? = nil) {
    self.info = info
    self.inviter = inviter
  }
}

/// A conversation as the server describes it.
public struct ConversationInfo: Sendable, Hashable {
  /// The server's id of the conversation.
  public var ref: ConversationRef
  /// The type of chat.
  public var type: ConversationType
  /// The other user of a one-to-one chat.
  public var peer: UserID?
  /// The title; nil if the server has no title.
  public var title: String?
  /// The members; nil if the server does not report members.
  public var members: [UserID]?
  /// The message up to which this account has read on any device; nil if the server does not report it, or if nothing
  /// was read.
  public var readMark: MessageMark?
  /// The receipts of the other members, as far as known; nil if the server does not report receipts.
  public var receipts: [MemberReceipt]?
  /// This account's settings of the conversation, as far as the server stores and states them
  /// (``BackendCapabilities/settings``). A server that keeps its muted conversations in one list states them in
  /// ``SyncBatch/muted`` instead.
  public var settings: ConversationSettings
  /// The conversations that this conversation continues on the server under a new ref, newest first. May be empty once the
  /// engine has received it.
  ///
  /// The engine continues a stored conversation with one of these refs under the new ref: its messages and settings stay,
  /// and waiting messages are sent to the new ref. The history of the new ref goes on in the replaced conversation, and
  /// positions continue. A replaced ref is no longer reported. If the server has a contact list, a replaced group stays in
  /// the list as long as its continuation, since a device may not know the new ref yet. Ignored in invitations.
  public var replaces: [ConversationRef]

  /// Describes a conversation.
  public init(
    ref: ConversationRef, type: ConversationType, peer: UserID? = nil, title: String? = nil,
    members: [UserID]? = nil, readMark: MessageMark? = nil, receipts: [MemberReceipt]? = nil,
    settings: ConversationSettings = ConversationSettings(),
    replaces: [ConversationRef] = []
  ) {
    self.ref = ref
    self.type = type
    self.peer = peer
    self.title = title
    self.members = members
    self.readMark = readMark
    self.receipts = receipts
    self.settings = settings
    self.replaces = replaces
  }
}

/// The messages up to which a member has received and read a conversation on any device. These marks never go back.
public struct MemberReceipt: Sendable, Hashable {
  /// The member.
  public var user: UserID
  /// The last message delivered to the member; nil if the server does not report it.
  public var delivered: MessageMark?
  /// The last message that the member has read; nil if the server does not report it.
  public var read: MessageMark?

  /// Creates a receipt.
  public init(user: UserID, delivered: MessageMark?, read: MessageMark?) {
    self.user = user
    self.delivered = delivered
    self.read = read
  }
}
