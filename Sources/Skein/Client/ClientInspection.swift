/// A snapshot of a client's data and pending work, to find out why something waits or is missing.
public struct ClientInspection: Sendable {
  /// An operation that waits for the server.
  public struct Operation: Sendable, Identifiable {
    /// Its number, rising in the order of requests.
    public let id: Int64
    /// The chat it concerns.
    public let conversation: ConversationID
    /// The kind of operation: `open`, `send`, `resend`, `forward`, `leave` or `revise`.
    public let kind: String
    /// The message that is sent or changed.
    public let message: LocalMessageID?
    /// The message that the server must have first.
    public let waitsFor: LocalMessageID?
    /// When it was requested.
    public let queued: Timestamp
    /// The number of attempts.
    public let attempts: Int
    /// The state of an operation that sends a message in this process; nil for other operations.
    public let state: SendState?
  }

  /// A range of a chat in which no message is missing.
  public struct Span: Sendable, Hashable {
    /// The place of its first message.
    public let lower: Rank
    /// The place of its last message.
    public let upper: Rank
    /// The number of its stored messages.
    public let count: Int
    /// When its first and its last stored message were sent; nil if none is stored.
    public let times: ClosedRange<Timestamp>?
    /// Whether the server has nothing before it.
    public let reachesStart: Bool
    /// The number of unread messages between this span and the previous one; nil if the server did not report
    /// it.
    public let unreadBelow: Int?
  }

  /// The facts about one chat's messages.
  public struct Chat: Sendable, Identifiable {
    /// The chat.
    public let id: ConversationID
    /// The spans, oldest first. There is a gap between two neighbours, and before the first unless that
    /// reaches the start.
    public let spans: [Span]
  }

  /// The sync cursor; nil before the first sync.
  public let cursor: SyncCursor?
  /// The total number of stored list changes.
  public let version: Int64
  /// The pending operations, in the order of requests; the first 200.
  public let operations: [Operation]
  /// The time of the next attempt of operations that wait for the connection; nil if none waits.
  public let nextTry: Timestamp?
  /// The requested chats.
  public let chats: [Chat]
}
