/// One request as a handler gets it; the body may still be on its way.
public struct HTTPRequest: Sendable {
  /// A query parameter, percent-decoded; `value` is empty where there was none.
  public typealias Parameter = (name: String, value: String)

  /// In capitals: `GET`, `HEAD`, `POST`, `PUT`, `PATCH`, `DELETE`, `OPTIONS`.
  public let method: String
  /// Percent-decoded, begins with `/`, holds no query, and no `.`, `..` or empty segment.
  public let path: String
  /// In the order they stand; a name may stand twice.
  public let query: [Parameter]
  /// The well-known fields and those of ``SocketServerOptions/customHeaders``; one that came twice is joined by commas.
  public let headers: HTTPHeaders
  /// Empty where there is none.
  public let body: HTTPBody
  /// The other side's IP address.
  public let remoteAddress: String

  /// For tests of a handler; a server makes its own.
  public init(
    method: String, path: String, query: [Parameter] = [], headers: HTTPHeaders = [],
    body: HTTPBody = .init(), remoteAddress: String = "127.0.0.1"
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
    self.remoteAddress = remoteAddress
  }

  /// The first query parameter of that name.
  public func parameter(_ name: String) -> String? {
    query.first { $0.name == name }?.value
  }
}
