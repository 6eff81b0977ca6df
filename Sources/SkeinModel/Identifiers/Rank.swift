/// The key by which the database and every list order the messages of a conversation.
///
/// Messages of equal rank are ordered by ``LocalMessageID``.
public struct Rank: RawRepresentable, Hashable, Comparable, Sendable, Codable {
  /// From 0 to below 2⁶²: the server's position, or a place that the engine assigns if the server has no positions.
  /// From 2⁶²: unsent messages, and sent messages whose place is not known yet. −1: sent messages that are
  /// older than a history that begins at 0. Below −1: messages of earlier epochs, and failed messages without a place.
  public let rawValue: Int64
  /// Wraps a stored number.
  public init(rawValue: Int64) { self.rawValue = rawValue }
  /// Orders ranks as the list does.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// Below every message.
  public static let lowest = Rank(rawValue: .min)
  /// Above every message.
  public static let highest = Rank(rawValue: .max)
  /// The rank of failed messages while no other message of their conversation has a place.
  package static let unplaced = Rank.lowest.successor
  /// Below the history of the current epoch, and above all messages of earlier epochs.
  package static let beforeHistory = Rank(rawValue: -1)
  /// The first rank of unsent messages: above every position of the server.
  package static let firstUnsent = Rank(rawValue: 1 << 62)

  /// Creates the rank of a position, which is clamped to the valid range.
  package init(_ position: Position) {
    rawValue = min(max(position.rawValue, 0), Rank.firstUnsent.rawValue - 1)
  }

  /// Whether the place of a message with this rank is not known yet.
  package var isUnsent: Bool { self >= .firstUnsent }
  /// Whether a message with this rank belongs to an earlier epoch; also true for `unplaced` and `lowest`.
  package var isEarlier: Bool { self < .beforeHistory }
  /// The next rank below.
  package var predecessor: Rank { Rank(rawValue: rawValue == .min ? .min : rawValue - 1) }
  /// The next rank above.
  package var successor: Rank { Rank(rawValue: rawValue == .max ? .max : rawValue + 1) }
}
