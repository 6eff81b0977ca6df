/// A request as a handler receives it; the body may still be in transit.
public struct HTTPRequest: Sendable {
  /// A query parameter, percent-decoded; `value` is empty if the parameter has no value.
  public typealias Parameter = (name: String, value: String)

  /// In upper case: `GET`, `HEAD`, `POST`, `PUT`, `PATCH`, `DELETE`, `OPTIONS`.
  public let method: String
  /// Percent-decoded; begins with `/` and has no query. Repeated slashes and the segments `.` and `..` are
  /// resolved.
  public let path: String
  /// In the order of the URL; a name may occur twice.
  public let query: [Parameter]
  /// The well-known fields, and the fields that ``SocketServerOptions/customHeaders`` names. Repeated
  /// well-known fields are joined by commas. Of a repeated field that `customHeaders` names, only the first
  /// is included.
  public let headers: HTTPHeaders
  /// The body; empty if the request has none.
  public let body: HTTPBody
  /// The client's IP address.
  public let remoteAddress: String

  /// Makes a request, for example to test a handler.
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

  /// Returns the value of the first query parameter of that name; nil if there is none.
  public func parameter(_ name: String) -> String? {
    query.first { $0.name == name }?.value
  }
}
