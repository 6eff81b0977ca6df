/// The number that the server assigns to a message in its conversation.
public struct Position: RawRepresentable, Hashable, Comparable, Sendable, Codable {
  /// A number, at least 0, that rises from message to message; the steps depend on the backend's ordering.
  public let rawValue: Int64
  /// Wraps a server's number.
  public init(rawValue: Int64) { self.rawValue = rawValue }
  /// Orders positions as the server does.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
