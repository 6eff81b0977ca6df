import SkeinSockets

/// Decides which requests are answered. Every request must contain the secret. An upload and the opening of a
/// WebSocket must also come from the page.
struct PageAccess: Sendable {
  let secret: String

  /// The path below the secret. Nil if the request lacks the secret, or if its host is neither `127.0.0.1`
  /// nor `localhost`.
  func place(of request: HTTPRequest) -> String? {
    // Another site could make its host name resolve to this machine.
    let host = request.headers["Host"]?.split(separator: ":").first
    guard host == "127.0.0.1" || host == "localhost" else { return nil }
    let prefix = "/\(secret)/"
    guard request.path.hasPrefix(prefix) else { return nil }
    return String(request.path.dropFirst(prefix.count))
  }

  /// Whether the request comes from the page, not from another page in the same browser.
  func isFromPage(_ request: HTTPRequest) -> Bool {
    guard let origin = request.headers["Origin"], let host = request.headers["Host"] else { return false }
    return origin == "http://\(host)"
  }
}
