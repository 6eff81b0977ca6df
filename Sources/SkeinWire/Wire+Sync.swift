extension Wire {
  /// Answer of `GET /v1/sync`: what changed for the asker after a cursor.
  public struct SyncPage: Codable, Sendable, Equatable {
    /// The cursor that was asked with; none for a sync from the beginning.
    public var from: Cursor?
    /// The cursor to ask with next.
    public var next: Cursor
    /// The life of the database that both cursors belong to.
    public var epoch: Epoch
    /// Whether another page is there to be had at once.
    public var hasMore: Bool
    /// The server's clock, in milliseconds since 1970.
    public var serverTime: Int64
    /// At most 100, each at most once until `hasMore` is false.
    public var conversations: [ConversationChange]
    /// Where the asker's contact list stands.
    public var contactVersion: ContactVersion?

    /// A page of these parts.
    public init(
      from: Cursor?, next: Cursor, epoch: Epoch, hasMore: Bool, serverTime: Int64,
      conversations: [ConversationChange], contactVersion: ContactVersion? = nil
    ) {
      self.from = from
      self.next = next
      self.epoch = epoch
      self.hasMore = hasMore
      self.serverTime = serverTime
      self.conversations = conversations
      self.contactVersion = contactVersion
    }
  }

  /// What changed in one conversation.
  public struct ConversationChange: Codable, Sendable, Equatable {
    /// The conversation as of the sync's end.
    public var conversation: Conversation
    /// How many messages are new in it; 0 if only the asker's read mark or membership changed.
    public var count: Int64
    /// How many messages after the asker's read mark, by others, the conversation holds in all; said where fewer than
    /// `count` are handed over, the mark has moved, or something was done to messages.
    public var unread: Int64?
    /// How many of those call the asker; said with `unread`.
    public var unreadMentions: Int64?
    /// The newest of those, ascending; fewer than `count` means that older ones are left to `GET …/messages`.
    public var messages: [Message]
    /// Messages that were edited, recalled, reacted to or pinned since the cursor and are not among `messages`, as they
    /// are now; without a cursor, those alone that are pinned. Missing if there are none.
    public var revised: [Message]?

    /// A change of these parts.
    public init(
      conversation: Conversation, count: Int64, unread: Int64? = nil, unreadMentions: Int64? = nil,
      messages: [Message], revised: [Message] = []
    ) {
      self.conversation = conversation
      self.count = count
      self.unread = unread
      self.unreadMentions = unreadMentions
      self.messages = messages
      self.revised = revised.isEmpty ? nil : revised
    }
  }

  /// Answer of `GET /v1/conversations/{id}/messages`: neighbours without a hole between them.
  public struct HistoryPage: Codable, Sendable, Equatable {
    /// Ascending by position; at most as many as asked for.
    public var messages: [Message]
    /// Whether nothing comes before this page.
    public var reachesStart: Bool
    /// Whether nothing came after it when it was read.
    public var reachesEnd: Bool
    /// The life of the database that the positions belong to.
    public var epoch: Epoch?

    /// A page of these parts.
    public init(messages: [Message], reachesStart: Bool, reachesEnd: Bool, epoch: Epoch? = nil) {
      self.messages = messages
      self.reachesStart = reachesStart
      self.reachesEnd = reachesEnd
      self.epoch = epoch
    }
  }
}
