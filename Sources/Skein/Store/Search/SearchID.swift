import SkeinStorage

/// The number of a message in the search index. Among indexed messages, a later time gives a higher number. A
/// negative number marks a message that waits to be indexed.
struct SearchID: RawRepresentable, Hashable, Comparable, Sendable, ColumnValue {
  let rawValue: Int64

  init(rawValue: Int64) { self.rawValue = rawValue }

  /// The number to try first for a message, from its time and its local id.
  init(at time: Timestamp, for id: LocalMessageID) {
    self.init(rawValue: SearchID(at: time).rawValue | id.rawValue & Self.rows)
  }

  /// Whether messages with local ids below `next` have different numbers.
  static func areUnique(below next: Int64) -> Bool { next <= Self.rows + 1 }

  /// The lowest number that a message with this or a later time can have.
  init(at time: Timestamp) {
    rawValue = min(max(time.rawValue, 0), Int64.max >> Self.shift) << Self.shift
  }

  /// The number of a message that waits to be indexed.
  ///
  /// - Parameter isUnsent: whether the message is still to be sent.
  init(waiting id: LocalMessageID, isUnsent: Bool) {
    rawValue = (isUnsent ? Self.firstUnsent.rawValue : 0) - id.rawValue
  }

  /// Divides the messages that wait to be indexed: messages that are still to be sent have lower numbers, all
  /// other messages have higher numbers.
  static let firstUnsent = SearchID(rawValue: .min / 2)

  var isWaiting: Bool { rawValue < 0 }

  var successor: SearchID { SearchID(rawValue: rawValue == .max ? 0 : rawValue + 1) }
  static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  private static let shift: Int64 = 20
  private static let rows: Int64 = 1 << shift - 1
}
