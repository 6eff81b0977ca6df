/// A complete answer to a request.
public struct TransportAnswer: Sendable {
  /// The status code.
  public var status: Int
  /// The header fields.
  public var headers: [(name: String, value: String)]
  /// The decompressed body; empty if the body went into a ``FileSink``.
  public var body: [UInt8]

  /// Creates an answer, for example for a transport of a test.
  public init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The value of the first header field with this name, in upper or lower case; nil if no field has the
  /// name.
  public subscript(name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}
