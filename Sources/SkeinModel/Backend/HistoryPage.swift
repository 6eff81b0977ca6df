/// The place in a conversation that a page of history is requested for.
public enum HistoryAnchor: Sendable, Hashable {
  /// The newest messages.
  case newest
  /// The messages just before a position, which is not included.
  case before(Position)
  /// The messages just after a position, which is not included.
  case after(Position)
  /// The messages on both sides of a position, which is included. The engine does not request it; an app's own code
  /// may, if the server supports it.
  case around(Position)
  /// The messages on both sides of a message, which is included.
  case message(ServerMessageID)
  /// The messages on both sides of the first message not older than a moment; the newest messages if all are older.
  case time(Timestamp)
  /// The place of a token: older messages if it was the ``HistoryPage/previous`` of a page or of a sync, newer ones
  /// if it was the ``HistoryPage/next`` of a page.
  case token(HistoryToken)
}

/// A part of a conversation, complete between its first and its last message.
public struct HistoryPage: Sendable, Hashable {
  /// The messages, ascending, or in the server's order; empty only if there are none.
  public var messages: [IncomingMessage]
  /// Whether the server has nothing before the first message: the conversation starts with it, or older messages are
  /// gone for good. An empty page before a position states this too.
  public var reachesStart: Bool
  /// Whether the last message was the newest one when the server answered.
  public var reachesEnd: Bool
  /// The token of the page before this one, on backends with tokens; nil means a gap that can't be filled from here.
  public var previous: HistoryToken?
  /// The token of the page after this one, on backends with tokens.
  public var next: HistoryToken?
  /// The epoch of the page; nil if the server does not state it.
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
