import Foundation
import SkeinModel
import SkeinTransport

/// The calls of the client-server API to one homeserver, with or without a session.
struct MatrixCalls: Sendable {
  let homeserver: URL
  let session: CurrentSession?
  let options: MatrixOptions
  var transport: any HTTPTransport
  /// Whether a request that a broken connection has lost may be sent again. A poll ends with its connection.
  var isRepeating = true

  func get(
    _ path: [String], _ query: [(String, String)] = [], version: String = "v3",
    within deadline: Duration? = nil, idle idleTimeout: Duration? = nil
  ) async throws -> MatrixAnswer {
    try await perform("GET", [version] + path, query, within: deadline, idle: idleTimeout)
  }

  @discardableResult
  func post(
    _ path: [String], _ body: JSONValue = [:], query: [(String, String)] = []
  ) async throws -> MatrixAnswer {
    try await perform("POST", ["v3"] + path, query, body: body)
  }

  /// - Parameter isRepeatable: whether the server recognizes a repetition of the call.
  @discardableResult
  func put(_ path: [String], _ body: JSONValue, isRepeatable: Bool = false) async throws -> MatrixAnswer {
    try await perform("PUT", ["v3"] + path, body: body, isRepeatable: isRepeatable)
  }

  /// Deletes something that may be gone already.
  func delete(_ path: [String]) async throws {
    _ = try await optional({ $0.refusal?.status == 404 }) {
      try await perform("DELETE", ["v3"] + path, isRepeatable: true)
    }
  }

  private func perform(
    _ method: String, _ path: [String], _ query: [(String, String)] = [], body: JSONValue? = nil,
    within deadline: Duration? = nil, idle idleTimeout: Duration? = nil, isRepeatable: Bool = false
  ) async throws -> MatrixAnswer {
    var request = try request(method, ["client"] + path, query)
    if let body {
      request.body = .bytes(Array(try body.encoded()))
      request.headers.append(("Content-Type", "application/json"))
    }
    request.isRepeatable = isRepeating && (isRepeatable || method == "GET")
    request.deadline = deadline ?? options.deadline
    request.idleTimeout = idleTimeout
    return try await answer(to: request, path)
  }

  /// Sends a whole file. Only the idle timeout applies.
  func upload(_ file: URL, size: Int64, type: String) async throws -> MatrixAnswer {
    let path = ["media", "v3", "upload"]
    var request = try request("POST", path)
    request.body = size == 0 ? .bytes([]) : .file(file, count: size)
    request.headers.append(("Content-Type", type))
    return try await answer(to: request, path)
  }

  /// Writes the body of a successful answer to a file, or the rest of it if a part is there. Only the idle timeout applies.
  func download(_ path: [String], to sink: FileSink) async throws {
    let path = ["client", "v1", "media"] + path
    var request = try request("GET", path)
    if sink.start > 0 { request.headers.append(("Range", "bytes=\(sink.start)-")) }
    _ = try await exchange(request, path, into: sink)
  }

  private func answer(to request: TransportRequest, _ path: [String]) async throws -> MatrixAnswer {
    let (call, body) = try await exchange(request, path)
    return try MatrixAnswer(body, to: call)
  }

  /// Sends a request. Returns the method and the path of the call, and the body of the answer. Throws the matching error, which
  /// names the call, unless the answer is a success.
  private func exchange(
    _ request: TransportRequest, _ path: [String], into sink: FileSink? = nil
  ) async throws -> (call: String, body: [UInt8]) {
    let call = String("\(request.method) \(path.joined(separator: "/"))".prefix(300))
    let answer: TransportAnswer
    do {
      answer = try await transport.perform(request, into: sink)
    } catch let error as BackendError where error.code == .transient {
      throw error.described("\(call): \(error.message)")
    }
    try answer.checkSuccess(of: call, without: session?.value.token)
    return (call, answer.body)
  }

  private func request(
    _ method: String, _ path: [String], _ query: [(String, String)] = []
  ) throws -> TransportRequest {
    guard let url = homeserver.endpoint(["_matrix"] + path, query) else {
      throw BackendError(.permanent, "The homeserver's address can't be used.")
    }
    var request = TransportRequest(method, url)
    if let token = session?.value.token {
      request.headers.append(("Authorization", "Bearer \(token.rawValue)"))
    }
    return request
  }
}
