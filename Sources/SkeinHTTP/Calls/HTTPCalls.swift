import Foundation
import SkeinModel
import SkeinTransport
import SkeinWire

/// The calls of version 1 of the protocol to one server, with or without a session.
struct HTTPCalls: Sendable {
  enum Method: String { case get = "GET", post = "POST", patch = "PATCH", delete = "DELETE" }

  let server: URL
  let token: CurrentToken?
  let options: HTTPOptions
  private let transport: any HTTPTransport

  /// - Parameter transport: nil creates a transport that only these calls use.
  init(
    server: URL, token: CurrentToken?, options: HTTPOptions, transport: (any HTTPTransport)? = nil
  ) {
    self.server = server
    self.token = token
    self.options = options
    self.transport = transport ?? .system(options.transport)
  }

  func get<Answer: Decodable>(
    _ path: [String], _ query: [(String, String)] = [], as type: Answer.Type
  ) async throws -> Answer {
    let answer = try await perform(.get, path, query)
    return try Self.reading { try Wire.decode(type, from: answer.body) }
  }

  func post<Answer: Decodable>(
    _ path: [String], _ body: some Encodable, as type: Answer.Type
  ) async throws -> Answer {
    let answer = try await perform(.post, path, body: try Wire.encode(body))
    return try Self.reading { try Wire.decode(type, from: answer.body) }
  }

  /// Makes one call within the deadline, with or without a JSON body; throws if the answer is not a success.
  private func perform(
    _ method: Method, _ path: [String], _ query: [(String, String)] = [], body: [UInt8]? = nil
  ) async throws -> TransportAnswer {
    var request = try request(method, path, query)
    if let body {
      request.body = .bytes(body)
      request.headers.append(("Content-Type", "application/json"))
    }
    let deadline = method == .get ? options.deadline * 10 : options.deadline
    return try await options.within(deadline, orThrow: .late) { [request] in
      try await transport.perform(request).success()
    }
  }

  /// Makes a call whose success has no body. A success with a body is the answer of an intermediary.
  func send(_ method: Method, _ path: [String], body: [UInt8]? = nil) async throws {
    guard try await perform(method, path, body: body).status == 204 else { throw BackendError.garbled }
  }

  /// Sends a part of a file, and returns the answer, whatever its status is. Only the idle timeout applies.
  func upload(_ part: TransportRequest.Body, to path: [String], at offset: Int64) async throws
    -> TransportAnswer
  {
    var request = try request(.patch, path, [("offset", String(offset))])
    request.body = part
    request.headers.append(("Content-Type", "application/octet-stream"))
    return try await transport.perform(request)
  }

  /// Writes the body of a successful answer to a file; throws if the answer is not a success. Only the idle
  /// timeout applies.
  func download(_ path: [String], to sink: FileSink) async throws {
    var request = try request(.get, path)
    if sink.start > 0 { request.headers.append(("Range", "bytes=\(sink.start)-")) }
    _ = try await transport.perform(request, into: sink).success()
  }

  /// The URL of the WebSocket and the headers of its opening request.
  func socket(_ path: [String]) throws -> (URL, [(name: String, value: String)]) {
    let url = try url(path, scheme: "ws")
    return (url, token.map { [("Authorization", "Bearer \($0.value.rawValue)")] } ?? [])
  }

  /// Decodes an answer. An answer that does not conform to the protocol is assumed to come from an intermediary, such
  /// as a proxy, and becomes a transient error.
  static func reading<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch is DecodingError {
      throw BackendError.garbled
    } catch is WireContradiction {
      throw BackendError.garbled
    }
  }

  private func request(
    _ method: Method, _ path: [String], _ query: [(String, String)] = []
  ) throws -> TransportRequest {
    var request = TransportRequest(method.rawValue, try url(path, query, scheme: "http"))
    if let token { request.headers.append(("Authorization", "Bearer \(token.value.rawValue)")) }
    return request
  }

  /// - Parameter scheme: `http` or `ws`; an `s` is appended if the server's address has `https`.
  private func url(_ path: [String], _ query: [(String, String)] = [], scheme: String) throws -> URL {
    guard let url = server.endpoint(["v1"] + path, query, scheme: scheme) else {
      throw BackendError(.permanent, "The server's address can't be used.")
    }
    return url
  }
}
