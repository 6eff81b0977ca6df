/// The place of a message in its conversation, as the server numbers it.
public struct Position: RawRepresentable, Hashable, Comparable, Sendable, Codable {
  /// From 0, rises with the conversation; what lies between two positions depends on the backend's ordering.
  public let rawValue: Int64
  /// Takes a server's number.
  public init(rawValue: Int64) { self.rawValue = rawValue }
  /// Orders as the server orders.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
