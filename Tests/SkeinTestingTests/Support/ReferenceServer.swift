import Foundation
#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif
import Skein
import SkeinHTTP
import SkeinServer
import SkeinSockets
import SkeinTesting
import Synchronization

/// A real server of the reference protocol on this machine, with a ``Relay`` for each device.
actor ReferenceServer {
  private struct Device {
    let session: Session
    let backend: HTTPBackend
    let relay: Relay
    /// Keeps the socket for messages open.
    var line: Task<Void, any Error>?
  }

  private let folder: URL
  private let sending: HTTPOptions.Sending
  private var options: ServerOptions
  private var server: ChatServer?
  private var devices: [Device] = []
  private var users = 0
  /// The number of HTTP requests that post a message, including refused requests.
  nonisolated let posts = Count()
  private var host: (server: SocketServer, files: HostedFiles)?
  /// The time by which the server's clock is ahead.
  private let age = Age()
  private static let password = "open sesame"

  /// Starts a server; its clients send in the given way.
  init(sending: HTTPOptions.Sending) async throws {
    self.sending = sending
    folder = FileManager.default.temporaryDirectory.appending(path: "skein-testing-\(UUID().uuidString)")
    options = ServerOptions(folder: folder)
    options.passwordCost = .minimum
    options.allowsLoopbackCopies = true
    options.limits.address = RateLimit(burst: 10_000, interval: 1)
    options.clock = ServerClock(
      now: { [age] in ServerClock.system.now() + age.milliseconds },
      sleep: { [age] in try await ServerClock.system.sleep($0 - age.milliseconds) })
    options.log = { [posts] record in
      if record.method == "POST", record.pattern.hasSuffix("/messages") { posts.add() }
    }
    let server = try await ChatServer.start(options)
    self.server = server
    options.port = server.port
  }

  private var accounts: HTTPAccounts {
    get throws { HTTPAccounts(server: try Self.address(options.port)) }
  }

  private static func address(_ port: Int) throws -> URL {
    guard let url = URL(string: "http://127.0.0.1:\(port)") else { throw URLError(.badURL) }
    return url
  }
}

extension ReferenceServer: TestServer {
  /// The maximum number of conversations in one answer of the server.
  nonisolated var batchSize: Int? { 100 }

  func makeUser() async throws -> UserID {
    users += 1
    let user = UserID(rawValue: "user\(users)")
    try await accounts.register(user, password: Self.password)
    return user
  }

  func makeBackend(for user: UserID) async throws -> any ChatBackend {
    let session = try await accounts.signIn(user, password: Self.password)
    let relay = try Relay(toPort: options.port)
    var options = HTTPOptions()
    options.sending = sending
    let accounts = try accounts
    let backend = HTTPBackend(
      server: try Self.address(relay.port), token: session.token, options: options,
      renewal: { try await accounts.renew(session).token })
    var device = Device(session: session, backend: backend, relay: relay)
    if sending == .socket { device.line = try await openLine(backend) }
    devices.append(device)
    return backend
  }

  /// Keeps a push channel open beside those of the checks, so that messages can be sent over its socket.
  private func openLine(_ backend: HTTPBackend) async throws -> Task<Void, any Error> {
    let (opened, continuation) = AsyncStream.makeStream(of: Never.self)
    let line = Task {
      defer { continuation.finish() }
      try await backend.run(since: nil) { _ in continuation.finish() }
    }
    for await _ in opened {}
    return line
  }

  func finish() async {
    for device in devices { device.line?.cancel() }
    await server?.stop()
    await host?.server.stop()
    for device in devices { device.relay.close() }
    for folder in [folder, backup] { try? FileManager.default.removeItem(at: folder) }
  }
}

extension ReferenceServer: StoppableServer, CuttableServer, LossyServer, SessionEndingServer,
  TokenExpiringServer, OutsidePostingServer, ContactEditingServer, RestorableServer, FileHostingServer
{
  func stop() async throws {
    await server?.stop()
    server = nil
  }

  func start() async throws { server = try await ChatServer.start(options) }

  func hostFile(_ bytes: Data, type: String) async throws -> URL {
    if host == nil {
      let files = HostedFiles()
      host = (try await SocketServer.start(handler: files), files)
    }
    guard let host else { throw URLError(.unknown) }
    return try Self.address(host.server.port).appending(path: host.files.add(bytes, type: type))
  }

  func saveBackup() async throws {
    try await stop()
    try FileManager.default.copyItem(at: folder, to: backup)
    try await start()
    try await reconnect()
  }

  func restoreBackup() async throws {
    try await stop()
    try FileManager.default.removeItem(at: folder)
    try FileManager.default.moveItem(at: backup, to: folder)
    options.beginsEpoch = true
    try await start()
    options.beginsEpoch = false
    try await reconnect()
  }

  /// Waits until each device reaches the restarted server: a request over a connection to the stopped server
  /// fails first.
  private func reconnect() async throws {
    for device in devices {
      for attempt in 1... {
        do {
          _ = try await device.backend.sync(since: nil, limit: 1)
          break
        } catch let error as BackendError where error.code == .unreachable && attempt < 10 {
          continue
        }
      }
    }
  }

  /// The copy of the server's folder.
  private var backup: URL { folder.appendingPathExtension("backup") }

  func cutConnections(of user: UserID) async throws {
    for device in devices where device.session.user == user { device.relay.cutWebSockets() }
  }

  func loseNextAnswer(to user: UserID, by loss: AnswerLoss) async throws {
    for device in devices where device.session.user == user { device.relay.loseNextAnswer(by: loss) }
  }

  func endSessions(of user: UserID) async throws {
    for device in devices where device.session.user == user { try await accounts.signOut(device.session) }
  }

  func expireTokens(of user: UserID) async throws {
    // The clock moves for all accounts, so the others renew their sessions here.
    age.add(.seconds(options.tokenLifetime.components.seconds))
    for index in devices.indices {
      devices[index].relay.cutWebSockets()
      guard devices[index].session.user != user else { continue }
      try await devices[index].backend.renewSession()
      if sending == .socket { devices[index].line = try await openLine(devices[index].backend) }
    }
  }

  func post(_ payload: Data, kind: MessageKind, from user: UserID, in conversation: ConversationRef)
    async throws
  {
    let body = [
      "id": "other-\(UUID().uuidString)", "kind": kind.rawValue,
      "content": String(decoding: payload, as: UTF8.self),
    ]
    try await ask("POST", "conversations/\(conversation.rawValue)/messages", body, as: user)
  }

  func addContact(_ contact: UserID, of user: UserID) async throws {
    try await ask("POST", "contacts", ["contact": ["user": contact.rawValue]], as: user)
  }

  func removeContact(_ contact: UserID, of user: UserID) async throws {
    try await ask("DELETE", "contacts/\(contact.rawValue)", nil as String?, as: user)
  }

  /// Sends a request in a new session, not through a relay.
  private func ask(_ method: String, _ path: String, _ body: (some Encodable)?, as user: UserID) async throws
  {
    let session = try await accounts.signIn(user, password: Self.password)
    var request = URLRequest(url: session.server.appending(path: "v1/\(path)"))
    request.httpMethod = method
    request.setValue("Bearer \(session.token.rawValue)", forHTTPHeaderField: "Authorization")
    if let body {
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
      request.httpBody = try JSONEncoder().encode(body)
    }
    let (_, response) = try await URLSession.shared.data(for: request)
    guard let status = (response as? HTTPURLResponse)?.statusCode, (200...299).contains(status) else {
      throw URLError(.badServerResponse)
    }
  }
}

/// Serves files in place of another server.
private final class HostedFiles: SocketServerHandler {
  private let files = Mutex<[(bytes: Data, type: String)]>([])

  /// Returns the file's path.
  func add(_ bytes: Data, type: String) -> String {
    files.withLock { files in
      files.append((bytes, type))
      return "\(files.count - 1)"
    }
  }

  func respond(to request: HTTPRequest) async -> HTTPResponse {
    let files = files.withLock { $0 }
    guard let index = Int(request.path.dropFirst()), files.indices.contains(index) else {
      return HTTPResponse(status: 404)
    }
    return HTTPResponse(
      status: 200, headers: ["Content-Type": files[index].type], content: .bytes(Array(files[index].bytes)))
  }

  func serve(_ socket: any WebSocketConnection, opening request: HTTPRequest) async {}
}

/// A thread-safe counter.
final class Count: Sendable {
  private let count = Mutex(0)
  func add() { count.withLock { $0 += 1 } }
  var value: Int { count.withLock { $0 } }
}

/// The time by which a clock was moved.
private final class Age: Sendable {
  private let seconds = Mutex<Int64>(0)

  var milliseconds: Int64 { seconds.withLock { $0 * 1000 } }

  func add(_ duration: Duration) { seconds.withLock { $0 += duration.components.seconds } }
}
