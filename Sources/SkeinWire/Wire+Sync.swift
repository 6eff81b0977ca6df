extension Wire {
  /// Answer of `GET /v1/sync`: the changes for the asker after a cursor.
  public struct SyncPage: Codable, Sendable, Equatable {
    /// The cursor of the request; nil for a sync from the beginning.
    public var from: Cursor?
    /// The cursor of the next request.
    public var next: Cursor
    /// The epoch of both cursors.
    public var epoch: Epoch
    /// Whether another page follows at once.
    public var hasMore: Bool
    /// The server's clock, in milliseconds since 1970.
    public var serverTime: Int64
    /// At most 100 conversations. Until `hasMore` is false, each is in one page, or in several if it has many
    /// revised messages.
    public var conversations: [ConversationChange]
    /// The version of the asker's contact list.
    public var contactVersion: ContactVersion?

    /// Makes a page.
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

  /// The changes in one conversation.
  public struct ConversationChange: Codable, Sendable, Equatable {
    /// The conversation as of the sync's end.
    public var conversation: Conversation
    /// The number of new messages; 0 if only the asker's read mark or membership changed.
    public var count: Int64
    /// The number of countable messages by others after the asker's read mark; present if there are fewer `messages` than
    /// `count`, the mark has moved, or messages were revised.
    public var unread: Int64?
    /// The number of these unread messages that mention the asker; present together with `unread`.
    public var unreadMentions: Int64?
    /// The newest of the new messages, ascending; if there are fewer than `count`, fetch older ones from `GET …/messages`.
    public var messages: [Message]
    /// The current state of messages that were revised since the cursor and are not among `messages`; without
    /// a cursor, only of pinned and starred messages. Missing if there are none.
    public var revised: [Message]?

    /// Makes a change.
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

  /// Answer of `GET /v1/conversations/{id}/messages`: consecutive messages.
  public struct HistoryPage: Codable, Sendable, Equatable {
    /// Ascending by position, at most as many as requested.
    public var messages: [Message]
    /// Whether the page begins with the first message.
    public var reachesStart: Bool
    /// Whether the page ended with the newest message when it was read.
    public var reachesEnd: Bool
    /// The epoch of the positions.
    public var epoch: Epoch?

    /// Makes a page.
    public init(messages: [Message], reachesStart: Bool, reachesEnd: Bool, epoch: Epoch? = nil) {
      self.messages = messages
      self.reachesStart = reachesStart
      self.reachesEnd = reachesEnd
      self.epoch = epoch
    }
  }
}
