/// A snapshot of a client's data and pending work, to find out why something waits or is missing.
public struct ClientInspection: Sendable {
  /// An operation that waits for the server.
  public struct Operation: Sendable, Identifiable {
    /// The operation's number; numbers rise in the order in which operations are queued.
    public let id: Int64
    /// The chat that the operation concerns.
    public let conversation: ConversationID
    /// The kind of operation: `open`, `send`, `resend`, `forward`, `leave` or `revise`.
    public let kind: String
    /// The message that is sent or changed; nil for the kinds `open` and `leave`.
    public let message: LocalMessageID?
    /// The message that the server must have before the operation is tried; nil if there is no such message.
    public let waitsFor: LocalMessageID?
    /// When the operation was queued.
    public let queued: Timestamp
    /// The number of attempts to post a message or an action; always 0 for the kinds `open` and `leave`.
    public let attempts: Int
    /// The state of the message that the operation sends. Nil for operations that send no message, while the
    /// client is stopped, and if another process sends.
    public let state: SendState?
  }

  /// A range of a chat in which no message is missing.
  public struct Span: Sendable, Hashable {
    /// The place at which the range begins.
    public let lower: Rank
    /// The place at which the range ends.
    public let upper: Rank
    /// The number of stored messages in the range, including messages deleted on this device.
    public let count: Int
    /// The earliest and the latest time of the stored messages in the range; nil if no message is stored.
    public let times: ClosedRange<Timestamp>?
    /// Whether no message just before the range can be fetched: the server has no such message, the earlier
    /// messages were cleared on this device, or the range is of an earlier epoch.
    public let reachesStart: Bool
    /// The number of unread messages between this span and the previous span; nil if unknown.
    public let unreadBelow: Int?
  }

  /// The facts about one chat's messages.
  public struct Chat: Sendable, Identifiable {
    /// The chat.
    public let id: ConversationID
    /// The spans, oldest first. A gap that can still be filled lies before each span whose `reachesStart`
    /// is false.
    public let spans: [Span]
  }

  /// The sync cursor; nil if the next sync starts from the beginning.
  public let cursor: SyncCursor?
  /// The change counter: it rises by one with every transaction that publishes changes.
  public let version: Int64
  /// The first 200 pending operations, in the order in which they were queued.
  public let operations: [Operation]
  /// The time at which operations that wait for the connection are tried next; nil if no connection failure
  /// delays the operations.
  public let nextTry: Timestamp?
  /// The requested chats.
  public let chats: [Chat]
}
