import Foundation
import Skein
import SkeinHTTP
import SkeinSockets

/// A correct HTTP server with answers chosen by a test.
struct ScriptedServer: SocketServerHandler {
  var answer: @Sendable (HTTPRequest) async -> HTTPResponse = { _ in HTTPResponse(status: 404) }
  var attend: @Sendable (any WebSocketConnection, HTTPRequest) async -> Void = { _, _ in }

  func respond(to request: HTTPRequest) async -> HTTPResponse { await answer(request) }

  func serve(_ socket: any WebSocketConnection, opening request: HTTPRequest) async {
    await attend(socket, request)
  }

  /// Runs `body` with a backend for a server that answers every call with the result of `answer`.
  static func run(
    answering answer: @escaping @Sendable (HTTPRequest) async -> HTTPResponse,
    options: HTTPOptions = .patient, _ body: (HTTPBackend) async throws -> Void
  ) async throws {
    try await run(ScriptedServer(answer: answer), options: options, body)
  }

  /// Runs `body` with a backend for a server with this WebSocket handler.
  static func run(
    attending attend: @escaping @Sendable (any WebSocketConnection, HTTPRequest) async -> Void,
    options: HTTPOptions = .patient, _ body: (HTTPBackend) async throws -> Void
  ) async throws {
    try await run(ScriptedServer(attend: attend), options: options, body)
  }

  private static func run(
    _ handler: ScriptedServer, options: HTTPOptions, _ body: (HTTPBackend) async throws -> Void
  ) async throws {
    try await handler.run { try await body(.local(port: $0, options: options)) }
  }

  /// Runs `body` with the server's port.
  func run(_ body: (Int) async throws -> Void) async throws {
    let server = try await SocketServer.start(handler: self)
    do {
      try await body(server.port)
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }
}

extension HTTPOptions {
  /// Deadlines that a busy machine does not reach.
  static let patient = {
    var options = HTTPOptions()
    options.idleTimeout = .seconds(3600)
    options.deadline = .seconds(3600)
    options.connectTimeout = .seconds(3600)
    return options
  }()
}

extension HTTPBackend {
  /// A backend for a local server, with a token that is easy to find where it must not appear.
  static func local(port: Int, options: HTTPOptions = .patient) throws -> HTTPBackend {
    var address = URLComponents()
    address.scheme = "http"
    address.host = "127.0.0.1"
    address.port = port
    guard let url = address.url else { throw URLError(.badURL) }
    return HTTPBackend(server: url, token: AccessToken(rawValue: "tell-nobody"), options: options)
  }
}

extension MediaBackend {
  /// Uploads a file without an upload token, ignoring reports of progress.
  func upload(_ file: URL, type: String) async throws -> RemoteMedia {
    try await upload(.reading(LocalFile(url: file, type: type)), resuming: nil) { _ in }
  }
}

extension HTTPResponse {
  static func json(_ text: String, status: Int = 200, headers: HTTPHeaders = [:]) -> HTTPResponse {
    HTTPResponse(status: status, headers: headers, content: .bytes(Array(text.utf8)))
  }

  static func failure(_ status: Int, _ code: String, headers: HTTPHeaders = [:]) -> HTTPResponse {
    .json(#"{"error":{"code":"\#(code)","message":"A sentence."}}"#, status: status, headers: headers)
  }
}

extension OutgoingMessage {
  static let example = OutgoingMessage(
    id: MessageID(rawValue: "m1"), conversation: ConversationRef(rawValue: "c1"), kind: "text",
    payload: Data(#"{"text":"between us"}"#.utf8))
}

/// The `BackendError` of a call; nil if it succeeds or throws another error.
func backendError(of call: () async throws -> Void) async -> BackendError? {
  do {
    try await call()
    return nil
  } catch {
    return error as? BackendError
  }
}
