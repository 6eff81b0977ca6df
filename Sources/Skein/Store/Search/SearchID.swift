import SkeinStorage

/// The number of a message in the search index: rises with the message's time.
struct SearchID: RawRepresentable, Hashable, Comparable, Sendable, ColumnValue {
  let rawValue: Int64

  init(rawValue: Int64) { self.rawValue = rawValue }

  /// The first number for a message of this time, based on its row.
  init(at time: Timestamp, for id: LocalMessageID) {
    self.init(rawValue: SearchID(at: time).rawValue | id.rawValue & Self.rows)
  }

  /// The number below all messages of this time and later.
  init(at time: Timestamp) {
    rawValue = min(max(time.rawValue, 0), Int64.max >> Self.shift) << Self.shift
  }

  var successor: SearchID { SearchID(rawValue: rawValue == .max ? 0 : rawValue + 1) }
  static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  private static let shift: Int64 = 20
  private static let rows: Int64 = 1 << shift - 1
}
