import Foundation
import SkeinServer
import SkeinWire
import Testing

/// A server with its own folder, which can be restarted on the same data.
actor TestServer {
  nonisolated let folder: URL
  nonisolated let clock: TestClock
  private var server: ChatServer?
  private var options: ServerOptions
  private(set) var port = 0

  /// Starts a server, runs the body and removes everything afterwards.
  static func run(
    _ change: (inout ServerOptions) -> Void = { _ in }, _ body: (TestServer) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "skein-server-\(UUID().uuidString)")
    let clock = TestClock()
    var options = ServerOptions(folder: folder)
    options.passwordCost = .minimum
    options.clock = clock.server
    options.limits.address = RateLimit(burst: 10_000, interval: 1)
    change(&options)
    let server = TestServer(clock, options)
    do {
      try await server.start()
      try await body(server)
    } catch {
      await server.remove()
      throw error
    }
    await server.remove()
  }

  private init(_ clock: TestClock, _ options: ServerOptions) {
    self.clock = clock
    self.options = options
    folder = options.folder
  }

  func start() async throws {
    let server = try await ChatServer.start(options)
    self.server = server
    port = server.port
  }

  func stop() async {
    await server?.stop()
    server = nil
  }

  /// Stops and starts again on the same folder.
  func restart(_ change: @Sendable (inout ServerOptions) -> Void = { _ in }) async throws {
    await stop()
    change(&options)
    try await start()
  }

  private func remove() async {
    await stop()
    try? FileManager.default.removeItem(at: folder)
  }

  /// A client without a token.
  func stranger() -> TestClient { TestClient(port: port) }

  /// A new account, signed in.
  func user(_ user: Wire.UserID) async throws -> TestClient {
    try await stranger().post("accounts", Wire.AccountRequest(user: user, password: "open sesame")).expect(
      201)
    return try await signIn(user)
  }

  /// One more session of an account.
  func signIn(_ user: Wire.UserID) async throws -> TestClient {
    let session: Wire.Session = try await stranger().post(
      "sessions", Wire.SessionRequest(user: user, password: "open sesame")
    ).decoded()
    return TestClient(port: port, token: session.token)
  }
}
