/// The one key by which the database and every list order the messages of a conversation.
///
/// Rows of equal rank are ordered by ``LocalMessageID``.
public struct Rank: RawRepresentable, Hashable, Comparable, Sendable, Codable {
  /// Positions of the server from 0 to 2⁶², messages not yet sent from there on, those of earlier epochs below −1.
  public let rawValue: Int64
  /// Takes a stored number back.
  public init(rawValue: Int64) { self.rawValue = rawValue }
  /// Orders as the list does.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// Below every message.
  public static let lowest = Rank(rawValue: .min)
  /// Above every message.
  public static let highest = Rank(rawValue: .max)
  /// Where messages stand that failed before anything was known of their conversation.
  package static let unplaced = Rank.lowest.successor
  /// Below everything that the server has now, and above what it had in earlier epochs.
  package static let beforeHistory = Rank(rawValue: -1)
  /// Where the messages start that are not sent yet: behind everything the server could order.
  package static let firstUnsent = Rank(rawValue: 1 << 62)

  /// The rank of a message the server ordered; a position out of range is held inside it.
  package init(_ position: Position) {
    rawValue = min(max(position.rawValue, 0), Rank.firstUnsent.rawValue - 1)
  }

  /// Whether the message waits for the server.
  package var isUnsent: Bool { self >= .firstUnsent }
  /// Whether it is the place of a message in an earlier epoch.
  package var isEarlier: Bool { self < .beforeHistory }
  /// The next rank below.
  package var predecessor: Rank { Rank(rawValue: rawValue == .min ? .min : rawValue - 1) }
  /// The next rank above.
  package var successor: Rank { Rank(rawValue: rawValue == .max ? .max : rawValue + 1) }
}
