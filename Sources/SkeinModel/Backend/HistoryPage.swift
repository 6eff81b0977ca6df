/// The place in a conversation for which a page of history is requested.
public enum HistoryAnchor: Sendable, Hashable {
  /// The newest messages.
  case newest
  /// The messages just before a position, which is not included.
  case before(Position)
  /// The messages just after a position, which is not included.
  case after(Position)
  /// The messages on both sides of a position, which is included. The engine does not use this anchor; an app's own
  /// code may use it, if the server supports it.
  case around(Position)
  /// The messages on both sides of a message, which is included.
  case message(ServerMessageID)
  /// The messages around the first message at or after a time; the newest messages if all messages are older.
  case time(Timestamp)
  /// The messages at a token: older messages if the token is the ``HistoryPage/previous`` of a page or the
  /// ``ConversationDelta/previous`` of a sync, newer messages if the token is the ``HistoryPage/next`` of a page.
  case token(HistoryToken)
}

/// A part of a conversation, complete between its first and its last message.
public struct HistoryPage: Sendable, Hashable {
  /// The messages, ascending by position, or in the server's order if the server has no positions; empty only if the
  /// server has no messages at the anchor.
  public var messages: [IncomingMessage]
  /// Whether the server has nothing before the first message: the conversation starts with it, or older messages are
  /// permanently unavailable. For an empty page: whether the server has nothing before the anchor.
  public var reachesStart: Bool
  /// Whether the last message was the newest one when the server answered.
  public var reachesEnd: Bool
  /// The token of the page before this page, on backends with tokens. If it is nil and ``reachesStart`` is false, the
  /// gap before the page can't be filled from this page.
  public var previous: HistoryToken?
  /// The token of the page after this page, on backends with tokens.
  public var next: HistoryToken?
  /// The epoch of the page; nil if the server does not report it.
  public var epoch: Epoch?

  /// Creates a page.
  public init(
    messages: [IncomingMessage], reachesStart: Bool, reachesEnd: Bool, previous: HistoryToken? = nil,
    next: HistoryToken? = nil, epoch: Epoch? = nil
  ) {
    self.messages = messages
    self.reachesStart = reachesStart
    self.reachesEnd = reachesEnd
    self.previous = previous
    self.next = next
    self.epoch = epoch
  }
}
