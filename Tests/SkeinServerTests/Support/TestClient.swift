import Foundation
import SkeinSockets
import SkeinWire
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Calls the server over a real connection.
struct TestClient: Sendable {
  private static let session: URLSession = {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = 64
    return URLSession(configuration: configuration)
  }()

  var port: Int
  var token: String?

  init(port: Int, token: String? = nil) {
    self.port = port
    self.token = token
  }

  func get(_ path: String) async throws -> Answer { try await send("GET", path) }

  func post(_ path: String, _ body: some Encodable) async throws -> Answer {
    try await send("POST", path, body: try Wire.encode(body))
  }

  /// Any request below `/v1/`.
  func send(
    _ method: String, _ path: String, type: String? = "application/json", body: [UInt8]? = nil
  ) async throws -> Answer {
    let url = try #require(URL(string: "http://127.0.0.1:\(port)/v1/\(path)"))
    var request = URLRequest(url: url)
    request.httpMethod = method
    request.httpBody = body.map { Data($0) }
    if body != nil { request.setValue(type, forHTTPHeaderField: "Content-Type") }
    if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
    let (data, response) = try await Self.session.data(for: request)
    return Answer(response: try #require(response as? HTTPURLResponse), body: [UInt8](data))
  }

  /// The push channel before its hello.
  func socket() async throws -> any WebSocketConnection {
    let url = try #require(URL(string: "ws://127.0.0.1:\(port)/v1/socket"))
    return try await WebSocket.connect(
      to: url, headers: token.map { ["Authorization": "Bearer \($0)"] } ?? [:])
  }
}

/// An answer of the server.
struct Answer: Sendable {
  let response: HTTPURLResponse
  let body: [UInt8]

  var status: Int { response.statusCode }

  func header(_ name: String) -> String? { response.value(forHTTPHeaderField: name) }

  /// Checks the status.
  @discardableResult
  func expect(_ status: Int, sourceLocation: SourceLocation = #_sourceLocation) throws -> Answer {
    let text = String(decoding: body.prefix(400), as: UTF8.self)
    try #require(self.status == status, Comment(rawValue: text), sourceLocation: sourceLocation)
    return self
  }

  /// Checks for an error of this status and code, with a message that ends with a period.
  @discardableResult
  func expect(
    _ status: Int, _ code: Wire.ErrorCode, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Wire.ErrorResponse {
    try expect(status, sourceLocation: sourceLocation)
    let response = try Wire.decode(Wire.ErrorResponse.self, from: body)
    #expect(response.error.code == code, sourceLocation: sourceLocation)
    #expect(response.error.message.hasSuffix("."), sourceLocation: sourceLocation)
    return response
  }

  /// The body of a 2xx answer.
  func decoded<Value: Decodable>(
    _ type: Value.Type = Value.self, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Value {
    let text = String(decoding: body.prefix(400), as: UTF8.self)
    try #require((200...299).contains(status), Comment(rawValue: text), sourceLocation: sourceLocation)
    return try Wire.decode(type, from: body)
  }
}
