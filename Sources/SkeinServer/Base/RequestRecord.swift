/// One answered request, for a log: never a token, a name or a content.
public struct RequestRecord: Sendable, CustomStringConvertible {
  /// The HTTP method; empty for one the protocol doesn't have.
  public let method: String
  /// The route's pattern, with `{}` for each value; empty if there is no such route.
  public let pattern: String
  /// The response's HTTP status.
  public let status: Int
  /// How long the server worked on the response.
  public let duration: Duration

  /// One line: method, pattern, status and milliseconds.
  public var description: String {
    let (seconds, attoseconds) = duration.components
    return "\(method) \(pattern) \(status) \(seconds * 1000 + attoseconds / 1_000_000_000_000_000) ms"
  }
}
