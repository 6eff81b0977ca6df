/// One answered request, for a log. The record contains no token, no name and no content.
public struct RequestRecord: Sendable, CustomStringConvertible {
  /// The HTTP method; empty if no route has the request's path.
  public let method: String
  /// The route's pattern, with `{}` in place of each value; empty if no route has the request's path.
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
