/// What a client knows and has still to do, at one moment: for whoever asks why something waits or is not there.
public struct ClientInspection: Sendable {
  /// Something that is still to be done on the server.
  public struct Operation: Sendable, Identifiable {
    /// Its number: what was asked for earlier has a lower one.
    public let id: Int64
    /// The chat that it concerns.
    public let conversation: ConversationID
    /// What is to be done: `open`, `send`, `resend`, `forward`, `leave` or `revise`.
    public let kind: String
    /// The message that is sent or changed.
    public let message: LocalMessageID?
    /// The message that the server must have first.
    public let waitsFor: LocalMessageID?
    /// When it was asked for.
    public let queued: Timestamp
    /// How often it was tried.
    public let attempts: Int
    /// How it stands, of one that sends a message here and now; nil of others, and where another process sends.
    public let state: SendState?
  }

  /// A stretch of a chat of which nothing is missing here.
  public struct Span: Sendable, Hashable {
    /// The place of its first message.
    public let lower: Rank
    /// The place of its last message.
    public let upper: Rank
    /// How many messages of it are stored.
    public let count: Int
    /// When its first and its last stored message were sent; nil where none is stored.
    public let times: ClosedRange<Timestamp>?
    /// Whether the server has nothing before it.
    public let reachesStart: Bool
    /// How many unread messages lie between it and what is before; nil where the server did not say.
    public let unreadBelow: Int?
  }

  /// What is known of one chat's messages.
  public struct Chat: Sendable, Identifiable {
    /// The chat.
    public let id: ConversationID
    /// Its spans, oldest first; between two of them, and before the first unless it reaches the start, is a gap.
    public let spans: [Span]
  }

  /// From where catching up goes on; nil before the first time.
  public let cursor: SyncCursor?
  /// How many changes of lists were stored in all.
  public let version: Int64
  /// What is still to be done, in the order in which it was asked for; the first 200.
  public let operations: [Operation]
  /// When what waits for the connection is tried next; nil while nothing does.
  public let nextTry: Timestamp?
  /// The chats asked for.
  public let chats: [Chat]
}
