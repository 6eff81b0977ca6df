import Foundation
import Skein
import SkeinHTTP
import SkeinServer
import Synchronization

/// A real server, which can be restarted on its data, and real clients of it, all in one folder.
actor TestWorld {
  nonisolated let folder: URL
  private var options: ServerOptions
  private var server: ChatServer?
  private var clients: [ChatClient] = []
  nonisolated let address: URL
  /// The answered requests, each as method, pattern and status, and the reported internal failures.
  nonisolated let requests: RequestLog
  /// The number of answered HTTP requests that post a message, including refused ones.
  nonisolated let posts = Count()
  static let password = "open sesame"

  /// Starts a server, runs the body and removes everything afterwards.
  static func run(
    _ change: (inout ServerOptions) -> Void = { _ in }, _ body: (TestWorld) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "skein-http-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    var options = ServerOptions(folder: folder.appending(path: "server"))
    options.passwordCost = .minimum
    change(&options)
    let world = try await TestWorld(folder, options)
    do {
      try await body(world)
    } catch {
      await world.end()
      throw error
    }
    await world.end()
  }

  private init(_ folder: URL, _ options: ServerOptions) async throws {
    self.folder = folder
    self.options = options
    let requests = RequestLog()
    self.requests = requests
    self.options.report = { requests.add("\($0)") }
    self.options.log = { [posts] record in
      requests.add(record)
      if record.method == "POST", record.pattern.hasSuffix("/messages") { posts.add() }
    }
    let server = try await ChatServer.start(self.options)
    self.server = server
    self.options.port = server.port
    var address = URLComponents()
    address.scheme = "http"
    address.host = "127.0.0.1"
    address.port = server.port
    guard let url = address.url else { throw URLError(.badURL) }
    self.address = url
  }

  nonisolated var accounts: HTTPAccounts { HTTPAccounts(server: address, options: .patient) }

  /// A new account, signed in.
  func user(_ user: UserID) async throws -> Session {
    try await accounts.register(user, password: Self.password)
    return try await signIn(user)
  }

  /// One more session of an account.
  func signIn(_ user: UserID) async throws -> Session {
    try await accounts.signIn(user, password: Self.password)
  }

  /// A running client with its own files.
  func client(
    _ session: Session, _ options: ChatOptions = ChatOptions(), http: HTTPOptions = HTTPOptions()
  ) async throws -> ChatClient {
    try await client(session.user, HTTPBackend(session, options: http), options)
  }

  /// A running client on a given backend.
  func client(
    _ user: UserID, _ backend: any ChatBackend, _ options: ChatOptions = ChatOptions()
  ) async throws -> ChatClient {
    let directory = folder.appending(path: "client-\(clients.count)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let client = try await ChatClient.open(
      account: user, backend: backend, runtime: .system(directory: directory), options: options)
    clients.append(client)
    client.start()
    return client
  }

  /// A file of this many bytes.
  nonisolated func file(_ name: String, size: Int) throws -> URL {
    let url = folder.appending(path: name)
    // Repeats a block, since computing each byte is slow. The block's size differs from that of an
    // uploaded part, so that parts differ.
    let block = Data((0..<min(size, 65_521)).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) })
    var bytes = Data(capacity: size)
    while bytes.count < size { bytes += block.prefix(size - bytes.count) }
    try bytes.write(to: url)
    return url
  }

  func stopServer() async {
    await server?.stop()
    server = nil
  }

  /// Starts a server on the same port and data as the last one.
  func startServer() async throws {
    server = try await ChatServer.start(options)
  }

  /// Stops the server, copies its database, and starts the server again.
  func backUpServer() async throws {
    await stopServer()
    try? FileManager.default.removeItem(at: backup)
    try FileManager.default.copyItem(at: options.folder.appending(path: "server.sqlite"), to: backup)
    try await startServer()
  }

  /// Restarts the server with the copied database, in a new epoch.
  func restoreServer() async throws {
    await stopServer()
    let database = options.folder.appending(path: "server.sqlite")
    try FileManager.default.removeItem(at: database)
    try FileManager.default.copyItem(at: backup, to: database)
    options.beginsEpoch = true
    try await startServer()
    options.beginsEpoch = false
  }

  private var backup: URL { folder.appending(path: "backup.sqlite") }

  private func end() async {
    for client in clients { await client.close() }
    await stopServer()
  }
}

/// The requests that a server has answered and the internal failures that it has reported, in order.
final class RequestLog: Sendable {
  private let lines = Mutex<[String]>([])

  @Sendable func add(_ record: RequestRecord) {
    lines.withLock { $0.append("\(record.method) \(record.pattern) \(record.status)") }
  }

  func add(_ line: String) { lines.withLock { $0.append(line) } }

  var all: [String] { lines.withLock { $0 } }

  func count(_ line: String) -> Int { lines.withLock { $0.count { $0 == line } } }
}

/// A counter that concurrent tasks can increase.
final class Count: Sendable {
  private let count = Mutex(0)
  func add() { count.withLock { $0 += 1 } }
  var value: Int { count.withLock { $0 } }
}
