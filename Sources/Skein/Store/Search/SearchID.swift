import SkeinStorage

/// The number of a message in the search index. Messages with a later time have higher numbers.
struct SearchID: RawRepresentable, Hashable, Comparable, Sendable, ColumnValue {
  let rawValue: Int64

  init(rawValue: Int64) { self.rawValue = rawValue }

  /// The number to try first for a message, from its time and its local id.
  init(at time: Timestamp, for id: LocalMessageID) {
    self.init(rawValue: SearchID(at: time).rawValue | id.rawValue & Self.rows)
  }

  /// The lowest number that a message with this or a later time can have.
  init(at time: Timestamp) {
    rawValue = min(max(time.rawValue, 0), Int64.max >> Self.shift) << Self.shift
  }

  var successor: SearchID { SearchID(rawValue: rawValue == .max ? 0 : rawValue + 1) }
  static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  private static let shift: Int64 = 20
  private static let rows: Int64 = 1 << shift - 1
}
