import SkeinStorage

/// One entry of the outbox; entries leave a lane in rising order.
struct OperationID: RawRepresentable, Hashable, Comparable, Sendable, ColumnValue {
  /// A rising number assigned by this device.
  let rawValue: Int64
  /// Creates an id from its stored number.
  init(rawValue: Int64) { self.rawValue = rawValue }
  /// Orders by when the operations were queued.
  static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension Rank {
  /// The rank of a message that waits for its operation: last in the list, in the order of the outbox.
  init(unsent operation: OperationID) {
    self.init(rawValue: Rank.firstUnsent.rawValue + min(max(operation.rawValue, 0), (1 << 62) - 2))
  }
}
