/// One entry of a message list.
public enum MessageListItem: Sendable, Hashable, Identifiable {
  /// A message.
  case message(ChatMessage)
  /// A mark between two messages that are not neighbours on the server.
  case gap(MessageGap)

  /// Names an entry for as long as it is in the list.
  public enum ID: Sendable, Hashable {
    /// A message's row.
    case message(LocalMessageID)
    /// The gap above the message of this rank.
    case gap(Rank)
  }

  /// The entry's name.
  public var id: ID {
    switch self {
    case .message(let message): .message(message.id)
    case .gap(let gap): .gap(gap.lower)
    }
  }

  /// The message, if the entry is one.
  public var message: ChatMessage? {
    if case .message(let message) = self { message } else { nil }
  }

  /// The gap, if the entry is one.
  public var gap: MessageGap? {
    if case .gap(let gap) = self { gap } else { nil }
  }
}

/// Messages that may be missing between two that are stored.
public struct MessageGap: Sendable, Hashable {
  /// What can be done about a gap.
  public enum State: Sendable, Hashable {
    /// It is filled when paging comes to it, or by ``ChatContext/fill(_:)``.
    case open
    /// The server told nothing new of it three times: paging passes it, and ``ChatContext/fill(_:)`` tries again.
    case stalled
    /// The server does not have the messages any more.
    case unavailable
  }
  /// The rank of the last message below; the lowest where nothing below is known.
  package let lower: Rank
  /// The rank of the first message above.
  package let upper: Rank
  /// How many unread messages the server said it holds; nil where it did not say.
  public let unreadCount: Int?
  /// What can be done about it.
  public let state: State

  package init(lower: Rank, upper: Rank, unreadCount: Int?, state: State) {
    self.lower = lower
    self.upper = upper
    self.unreadCount = unreadCount
    self.state = state
  }
}
