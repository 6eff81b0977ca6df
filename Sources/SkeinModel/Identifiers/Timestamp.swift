/// A moment of the wall clock in milliseconds since 1970, UTC.
public struct Timestamp: RawRepresentable, Hashable, Comparable, Sendable, Codable {
  /// Milliseconds since 1970, UTC; negative before 1970.
  public let rawValue: Int64
  /// Creates a timestamp from milliseconds since 1970, UTC.
  public init(rawValue: Int64) { self.rawValue = rawValue }
  /// Creates a timestamp from milliseconds since 1970, UTC.
  public init(milliseconds: Int64) { rawValue = milliseconds }
  /// Orders earlier times first.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  /// Returns the time after a duration, clamped to the range of `Int64`.
  public static func + (left: Self, right: Duration) -> Self {
    let (sum, overflow) = left.rawValue.addingReportingOverflow(right.milliseconds)
    return Timestamp(rawValue: overflow ? (right < .zero ? .min : .max) : sum)
  }
}

extension Duration {
  /// The duration in whole milliseconds, rounded toward zero and clamped to the range of `Int64`.
  package var milliseconds: Int64 {
    let (whole, overflow) = components.seconds.multipliedReportingOverflow(by: 1000)
    if overflow { return components.seconds < 0 ? .min : .max }
    let (sum, over) = whole.addingReportingOverflow(components.attoseconds / 1_000_000_000_000_000)
    return over ? (whole < 0 ? .min : .max) : sum
  }
}
