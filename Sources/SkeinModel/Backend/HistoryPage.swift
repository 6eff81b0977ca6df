/// The place in a conversation for which a page of history is requested.
public enum HistoryAnchor: Sendable, Hashable {
  /// The newest messages.
  case newest
  /// The messages just before a position, which is not included.
  case before(Position)
  /// The messages just after a position, which is not included.
  case after(Position)
  /// The messages on both sides of a position, and the message at this position. The engine does not use this
  /// anchor. An app's own code may use this anchor if the server supports it.
  case around(Position)
  /// A message, and the messages on both sides of this message.
  case message(ServerMessageID)
  /// The messages around the first message at or after a time; the newest messages if all messages are older
  /// than the time.
  case time(Timestamp)
  /// The messages at a token: older messages for a token from ``HistoryPage/previous`` or
  /// ``ConversationDelta/previous``, newer messages for a token from ``HistoryPage/next``.
  case token(HistoryToken)
}

/// A part of a conversation, complete between its first and its last message.
public struct HistoryPage: Sendable, Hashable {
  /// The messages, ascending by position, or in the server's order if the server has no positions. Empty only
  /// if the server has no messages at the anchor.
  public var messages: [IncomingMessage]
  /// Whether the server has nothing before the first message: the conversation starts with this message, or
  /// older messages are permanently unavailable. For an empty page: whether the server has nothing before the
  /// anchor.
  public var reachesStart: Bool
  /// Whether the page's last message was the newest message of the conversation when the server answered. For
  /// an empty page: whether the server has nothing after the anchor.
  public var reachesEnd: Bool
  /// The token of the page before this page, on backends with tokens. If this token is nil and
  /// ``reachesStart`` is false, the gap before the page can't be filled from this page.
  public var previous: HistoryToken?
  /// The token of the page after this page, on backends with tokens.
  public var next: HistoryToken?
  /// The epoch of the page; nil if the server does not report epochs.
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
