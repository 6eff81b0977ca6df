extension BackendCapabilities {
  /// How long the server recognizes a message id.
  public enum Idempotency: Sendable, Hashable {
    /// Without limit: a message that is sent twice under one id is stored once.
    case forever
    /// Only for this time after the first attempt. If the outcome of an attempt is unknown, the engine
    /// repeats the message only in the same process, and only if the repetition starts more than
    /// ``BackendCapabilities/sendDeadline`` before the end of this time.
    case window(Duration)
    /// Not at all: a second attempt stores a second message.
    case none
  }

  /// How the server orders a conversation.
  public enum Ordering: Sendable, Hashable {
    /// Positions rise by one from message to message, starting at 1.
    case dense
    /// Positions rise from message to message, by one or more.
    case sparse
    /// The server assigns no positions: pages and syncs return messages in order, with tokens for the next
    /// pages. The engine assigns the ranks. Read marks and receipts are server ids (``MessageMark``). If the server stores
    /// a message twice, the messages beside it may be listed in another order for a moment.
    case arrival
  }

  /// Whether the server returns a message with the id that its sender's client gave it.
  public enum Echo: Sendable, Hashable {
    /// In sync and history, to every device.
    case always
    /// In sync and history, but only to the device that sent the message.
    case thisDevice
    /// Never: the engine can't look up whether a message with an unknown outcome has arrived.
    case never
  }

  /// The anchors that a server supports in addition to ``HistoryAnchor/newest`` and
  /// ``HistoryAnchor/before(_:)``.
  public struct HistoryAnchors: OptionSet, Sendable, Hashable {
    /// One bit per option.
    public let rawValue: Int
    /// Creates a set from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// ``HistoryAnchor/after(_:)``; without this anchor, a gap on a server with positions is filled from its
    /// newer side only.
    public static let after = HistoryAnchors(rawValue: 1)
    /// ``HistoryAnchor/message(_:)``; without this anchor, a list can't jump to a message that is not stored on the
    /// device.
    public static let message = HistoryAnchors(rawValue: 2)
    /// ``HistoryAnchor/time(_:)``; without this anchor, a list that jumps to a time fetches page after page back to
    /// that time.
    public static let time = HistoryAnchors(rawValue: 4)
    /// All anchors.
    public static let all: HistoryAnchors = [.after, .message, .time]
  }

  /// The receipts of other members that a server reports.
  public struct ReceiptKinds: OptionSet, Sendable, Hashable {
    /// One bit per option.
    public let rawValue: Int
    /// Creates a set from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// ``MemberReceipt/delivered``.
    public static let delivered = ReceiptKinds(rawValue: 1)
    /// ``MemberReceipt/read``.
    public static let read = ReceiptKinds(rawValue: 2)
    /// Both kinds of receipts.
    public static let all: ReceiptKinds = [.delivered, .read]
  }
}
