/// One entry of a message list.
public enum MessageListItem: Sendable, Hashable, Identifiable {
  /// A message.
  case message(ChatMessage)
  /// A mark at a place where messages may be missing.
  case gap(MessageGap)

  /// Identifies an entry for as long as the entry is in the list.
  public enum ID: Sendable, Hashable {
    /// A message, by its local id.
    case message(LocalMessageID)
    /// The gap directly after the message with this rank; `Rank.lowest` if no message before the gap is
    /// known.
    case gap(Rank)
  }

  /// The entry's id.
  public var id: ID {
    switch self {
    case .message(let message): .message(message.id)
    case .gap(let gap): .gap(gap.lower)
    }
  }

  /// The message; nil if the entry is a gap.
  public var message: ChatMessage? {
    if case .message(let message) = self { message } else { nil }
  }

  /// The gap; nil if the entry is a message.
  public var gap: MessageGap? {
    if case .gap(let gap) = self { gap } else { nil }
  }
}

/// A place in a message list where messages may be missing: between two stored messages, or before the first
/// stored message.
public struct MessageGap: Sendable, Hashable {
  /// The state of a gap.
  public enum State: Sendable, Hashable {
    /// The gap is filled when paging reaches the gap, or by `ChatContext.fill(_:)`.
    case open
    /// The server returned nothing new three times, or another request would be useless. Paging skips the
    /// gap, and only `ChatContext.fill(_:)` tries again.
    case stalled
    /// The server no longer has the messages.
    case unavailable
  }
  /// The rank of the last message before the gap; `Rank.lowest` if no such message is known.
  package let lower: Rank
  /// The rank of the first message after the gap.
  package let upper: Rank
  /// The number of unread messages in the gap, computed from the server's counts; nil if unknown.
  public let unreadCount: Int?
  /// The state of the gap.
  public let state: State

  package init(lower: Rank, upper: Rank, unreadCount: Int?, state: State) {
    self.lower = lower
    self.upper = upper
    self.unreadCount = unreadCount
    self.state = state
  }
}
