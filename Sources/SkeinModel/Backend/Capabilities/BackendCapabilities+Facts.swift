extension BackendCapabilities {
  /// How long the server recognizes a message id.
  public enum Idempotency: Sendable, Hashable {
    /// A message sent twice under one id is stored once, whenever the second attempt arrives.
    case forever
    /// The same, but only for this time after the first attempt. A repetition must start at least
    /// ``BackendCapabilities/sendDeadline`` before the end of the time, so that it arrives in time.
    case window(Duration)
    /// The server does not recognize ids: a second attempt is a second message.
    case none
  }

  /// How the server orders a conversation.
  public enum Ordering: Sendable, Hashable {
    /// Positions rise by one from message to message, starting at 1.
    case dense
    /// Positions rise, with gaps between them.
    case sparse
    /// There are no positions: pages and syncs return their messages in order, with tokens for continuing at
    /// either end. The engine assigns the ranks. Read marks are positions, so this ordering does not support
    /// them: `ChatClient.open(account:backend:kinds:runtime:options:)` throws if the backend has read marks.
    /// This ordering is newer than the other two, and the simulator does not cover it yet.
    case arrival
  }

  /// Whether the server returns a message with the id that its sender's client gave it.
  public enum Echo: Sendable, Hashable {
    /// In sync and history, to every device.
    case always
    /// Only to the device that sent it.
    case thisDevice
    /// Never: the engine can't find out whether a message with an unknown outcome has arrived.
    case never
  }

  /// The anchors that a server supports in addition to ``HistoryAnchor/newest`` and
  /// ``HistoryAnchor/before(_:)``.
  public struct HistoryAnchors: OptionSet, Sendable, Hashable {
    /// One bit per option.
    public let rawValue: Int
    /// Creates a set from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// ``HistoryAnchor/after(_:)``; without it a gap is filled from its newer side only.
    public static let after = HistoryAnchors(rawValue: 1)
    /// ``HistoryAnchor/message(_:)``; without it a list can't jump to a message that is not stored.
    public static let message = HistoryAnchors(rawValue: 2)
    /// ``HistoryAnchor/time(_:)``; without it a list that jumps to a moment pages back to that moment.
    public static let time = HistoryAnchors(rawValue: 4)
    /// All of them.
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
    /// Both.
    public static let all: ReceiptKinds = [.delivered, .read]
  }
}
