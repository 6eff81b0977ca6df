import SkeinSockets

/// One call of the protocol: method, path and handler.
struct Route: Sendable {
  typealias Open = @Sendable (Endpoints) -> @Sendable (Call) async throws -> HTTPResponse
  typealias SignedIn = @Sendable (Endpoints) -> @Sendable (Call, Asker) async throws -> HTTPResponse

  /// A handler for anyone, or for signed-in users.
  enum Handler: Sendable {
    case anyone(Open)
    case signedIn(SignedIn)
  }

  let method: String
  /// The path, with `{}` in place of each value.
  let pattern: String
  let handler: Handler
  private let segments: [Substring]

  /// A call that needs no token.
  static func open(_ method: String, _ pattern: String, _ handler: @escaping Open) -> Route {
    Route(method: method, pattern: pattern, handler: .anyone(handler))
  }

  /// A call that needs a token.
  static func signedIn(_ method: String, _ pattern: String, _ handler: @escaping SignedIn) -> Route {
    Route(method: method, pattern: pattern, handler: .signedIn(handler))
  }

  private init(method: String, pattern: String, handler: Handler) {
    self.method = method
    self.pattern = pattern
    self.handler = handler
    segments = pattern.split(separator: "/", omittingEmptySubsequences: false)
  }

  /// Returns the values in a path that matches the pattern; nil for any other path.
  func parameters(of path: String) -> [String]? {
    parameters(of: path.split(separator: "/", omittingEmptySubsequences: false))
  }

  private func parameters(of parts: [Substring]) -> [String]? {
    guard parts.count == segments.count else { return nil }
    var values: [String] = []
    for (part, segment) in zip(parts, segments) {
      if segment == "{}", !part.isEmpty {
        values.append(String(part))
      } else if part != segment {
        return nil
      }
    }
    return values
  }

  /// Returns whether the route answers this method; a `GET` route answers `HEAD` as well.
  func answers(_ method: String) -> Bool {
    self.method == method || (self.method == "GET" && method == "HEAD")
  }

  /// Returns the routes that match a path, with the values in the path.
  static func matching(_ path: String) -> [(route: Route, parameters: [String])] {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    return all.compactMap { route in route.parameters(of: parts).map { (route, $0) } }
  }
}
