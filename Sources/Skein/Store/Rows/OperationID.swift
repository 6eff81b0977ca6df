import SkeinStorage

/// The id of an operation in the outbox; ids rise in the order in which the operations were queued.
struct OperationID: RawRepresentable, Hashable, Comparable, Sendable, ColumnValue {
  /// A rising number assigned by this device.
  let rawValue: Int64
  /// Creates an id from its stored number.
  init(rawValue: Int64) { self.rawValue = rawValue }
  /// Orders ids by the order in which their operations were queued.
  static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension Rank {
  /// The rank of an unsent message: above all messages with a position, in the order of the outbox.
  init(unsent operation: OperationID) {
    self.init(rawValue: Rank.firstUnsent.rawValue + min(max(operation.rawValue, 0), (1 << 62) - 2))
  }
}
