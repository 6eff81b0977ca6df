extension Wire {
  /// Answer of `GET /v1/sync`: the changes for the asker since a cursor.
  public struct SyncPage: Codable, Sendable, Equatable {
    /// The cursor of the request; nil for a sync from the beginning.
    public var from: Cursor?
    /// The cursor of the next request.
    public var next: Cursor
    /// The epoch of both cursors.
    public var epoch: Epoch
    /// Whether there are more changes: request the next page at once.
    public var hasMore: Bool
    /// The server's clock, in milliseconds since 1970.
    public var serverTime: Int64
    /// The changed conversations, at most 100. A sync ends with the first page whose `hasMore` is false. In
    /// the pages of one sync, a conversation occurs once, or several times if its revised messages do not fit
    /// into one page.
    public var conversations: [ConversationChange]
    /// The version of the asker's contact list.
    public var contactVersion: ContactVersion?

    /// Creates a page.
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
    /// The conversation as it is now, with one exception. The first page of a sync fixes the end of the sync;
    /// the head, the read mark and the receipts are not above the newest position at this end.
    public var conversation: Conversation
    /// The number of new messages; 0 if only the asker's read mark, the members, the receipts or older messages have
    /// changed.
    public var count: Int64
    /// The number of countable messages by others after the asker's read mark. Present if `messages` has
    /// fewer messages than `count`, if the read mark, the members or the asker's stars have changed or the
    /// contact was restored since the cursor, or if `revised` is present.
    public var unread: Int64?
    /// The number of messages that `unread` counts and that mention the asker; present if `unread` is
    /// present.
    public var unreadMentions: Int64?
    /// The newest of the new messages, ascending. If there are fewer messages than `count`, fetch the older new
    /// messages from `GET …/messages`.
    public var messages: [Message]
    /// The current state of the messages that were revised since the cursor, without the messages in
    /// `messages`. A sync from the beginning contains only the pinned and the starred messages here. Missing
    /// if there are none.
    public var revised: [Message]?

    /// Creates a change.
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
    /// The messages, ascending by position: at most as many as requested.
    public var messages: [Message]
    /// Whether the conversation has no message before the page.
    public var reachesStart: Bool
    /// Whether the conversation had no message after the page when the server built the page.
    public var reachesEnd: Bool
    /// The epoch of the positions.
    public var epoch: Epoch?

    /// Creates a page.
    public init(messages: [Message], reachesStart: Bool, reachesEnd: Bool, epoch: Epoch? = nil) {
      self.messages = messages
      self.reachesStart = reachesStart
      self.reachesEnd = reachesEnd
      self.epoch = epoch
    }
  }
}
