/// Where a page of history is asked for.
public enum HistoryAnchor: Sendable, Hashable {
  /// The newest messages.
  case newest
  /// Those just before a position, which is not among them.
  case before(Position)
  /// Those just after a position, which is not among them.
  case after(Position)
  /// Those on both sides of a position, itself among them. The engine does not ask for it; an app's own code may, where the
  /// server supports it.
  case around(Position)
  /// Those on both sides of a message, itself among them.
  case message(ServerMessageID)
  /// Those on both sides of the first message that is not older than a moment; the newest where all are.
  case time(Timestamp)
  /// Where a token says: back from there if it was a page's ``HistoryPage/previous`` or a sync's, on from there if it was
  /// a page's ``HistoryPage/next``.
  case token(HistoryToken)
}

/// One stretch of a conversation, complete between its first and its last message.
public struct HistoryPage: Sendable, Hashable {
  /// The messages, ascending, or in the server's order; none only where there are none.
  public var messages: [IncomingMessage]
  /// Whether the server has nothing before the first: the conversation starts with it, or what was before is gone for
  /// good. An empty page just before a position says so too.
  public var reachesStart: Bool
  /// Whether nothing came after the last when the server answered.
  public var reachesEnd: Bool
  /// Where paging goes back from the first message, on backends with tokens; nil is a gap that can't be filled from here.
  public var previous: HistoryToken?
  /// Where paging goes on from the last message, on backends with tokens.
  public var next: HistoryToken?
  /// The life of the server's history that it is of; nil where the server does not say.
  public var epoch: Epoch?

  /// Describes one stretch of a conversation.
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
