/// What happened on the server between two cursors.
public struct SyncBatch: Sendable, Hashable {
  /// The cursor it goes on from; a batch that does not start at the stored cursor is fetched anew.
  public var from: SyncCursor?
  /// The cursor to go on from once the batch is stored.
  public var next: SyncCursor
  /// The life of the server's history that the cursors belong to; nil where the server has but one.
  public var epoch: Epoch?
  /// Whether there is more to fetch at once, from ``next``. Each batch covers the stretch between its own two cursors.
  public var hasMore: Bool
  /// The conversations in which something happened.
  public var conversations: [ConversationDelta]
  /// The version that the contact list has now: where it is not the stored one, its diff is fetched. Nil where the server
  /// does not say.
  public var contactVersion: ContactVersion?
  /// The server's clock when it answered; nil where it does not say.
  public var time: Timestamp?

  /// Describes what happened between two cursors.
  public init(
    from: SyncCursor?, next: SyncCursor, epoch: Epoch? = nil, hasMore: Bool = false,
    conversations: [ConversationDelta], contactVersion: ContactVersion? = nil, time: Timestamp? = nil
  ) {
    self.from = from
    self.next = next
    self.epoch = epoch
    self.hasMore = hasMore
    self.conversations = conversations
    self.contactVersion = contactVersion
    self.time = time
  }
}

/// What happened in one conversation between two cursors.
public struct ConversationDelta: Sendable, Hashable {
  /// The conversation as it is now.
  public var info: ConversationInfo
  /// The number of messages that the conversation got between the batch's two cursors, ``messages`` included: a higher number
  /// than there are messages means a gap before them. Where the batch has ``SyncBatch/hasMore``, messages after
  /// ``SyncBatch/next`` are not counted; the next batch counts them. Nil is a gap as well, of unknown size.
  public var count: Int?
  /// The number of messages after the read mark, in the whole conversation, that others sent and that count
  /// (``IncomingMessage/isCountable``); nil where the server does not say.
  public var unread: Int?
  /// How many of those call this account; nil where the server does not say.
  public var unreadMentions: Int?
  /// The newest of those messages, in the server's order; at least one where `count` is not zero.
  public var messages: [IncomingMessage]
  /// Where paging goes back from the first of the messages, on backends with tokens.
  public var previous: HistoryToken?
  /// Messages that were edited, recalled, reacted to or pinned since its ``SyncBatch/from``, as they are now: those of before,
  /// and those that came since and are not among ``messages``. A first sync needs those alone that are pinned.
  public var revised: [IncomingMessage]

  /// Describes what happened in one conversation.
  public init(
    info: ConversationInfo, count: Int?, unread: Int? = nil, unreadMentions: Int? = nil,
    messages: [IncomingMessage], previous: HistoryToken? = nil, revised: [IncomingMessage] = []
  ) {
    self.info = info
    self.count = count
    self.unread = unread
    self.unreadMentions = unreadMentions
    self.messages = messages
    self.previous = previous
    self.revised = revised
  }
}

/// A conversation as the server describes it.
public struct ConversationInfo: Sendable, Hashable {
  /// The server's name for it.
  public var ref: ConversationRef
  /// What kind of chat it is.
  public var type: ConversationType
  /// The other side of a one-to-one chat.
  public var peer: UserID?
  /// What it is called; nil where the server has no title.
  public var title: String?
  /// Everyone in it; nil where the server does not say.
  public var members: [UserID]?
  /// How far this account has read on any device; nil where the server does not say.
  public var readPosition: Position?
  /// How far the others in it are, those of whom there is something to say; nil where the server does not say.
  public var receipts: [MemberReceipt]?

  /// Describes a conversation.
  public init(
    ref: ConversationRef, type: ConversationType, peer: UserID? = nil, title: String? = nil,
    members: [UserID]? = nil, readPosition: Position? = nil, receipts: [MemberReceipt]? = nil
  ) {
    self.ref = ref
    self.type = type
    self.peer = peer
    self.title = title
    self.members = members
    self.readPosition = readPosition
    self.receipts = receipts
  }
}

/// How far somebody in a conversation is with its messages, on any of their devices; neither ever goes back.
public struct MemberReceipt: Sendable, Hashable {
  /// Who.
  public var user: UserID
  /// The last message that they have got; nil where the server does not say.
  public var delivered: Position?
  /// The last message that they have read; nil where the server does not say.
  public var read: Position?

  /// Says how far somebody is.
  public init(user: UserID, delivered: Position?, read: Position?) {
    self.user = user
    self.delivered = delivered
    self.read = read
  }
}
