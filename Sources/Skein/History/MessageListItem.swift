/// The messages of one chat that are loaded, as they were at one moment.
public typealias MessageList = ListSnapshot<MessageListItem>

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

  var order: MessageOrder {
    switch self {
    case .message(let message): MessageOrder(rank: message.rank, id: message.id)
    case .gap(let gap): MessageOrder(rank: gap.upper, id: LocalMessageID(rawValue: -1))
    }
  }
}

/// Messages that may be missing between two that are stored.
public struct MessageGap: Sendable, Hashable {
  /// The rank of the last message below.
  let lower: Rank
  /// The rank of the first message above.
  let upper: Rank
  /// How many unread messages the server said it holds; nil where it did not say.
  public let unreadCount: Int?
}

/// A message's place in its conversation: rank, then row.
struct MessageOrder: Sendable, Hashable, Comparable {
  let rank: Rank
  let id: LocalMessageID

  static let lowest = MessageOrder(rank: .lowest, id: LocalMessageID(rawValue: .min))
  static let highest = MessageOrder(rank: .highest, id: LocalMessageID(rawValue: .max))

  static func < (left: Self, right: Self) -> Bool { (left.rank, left.id) < (right.rank, right.id) }
}

extension MessageRow {
  var order: MessageOrder { MessageOrder(rank: rank, id: id) }
}
