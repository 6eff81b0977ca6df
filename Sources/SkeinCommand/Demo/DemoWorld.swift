import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The server and the clients of the demo, each a process of its own, in one temporary folder.
actor DemoWorld {
  let stage: DemoStage
  /// Reads the server's state with plain requests.
  private(set) var witness = DemoWitness(server: "", user: "", password: "")
  private let folder: URL
  private let errors: FileHandle
  private var server: DemoProcess?
  private var proxy: DemoProxy?
  private var address = ""
  private var clients: [DemoClient] = []
  private let password = "demo-\(UInt64.random(in: 0...UInt64.max))"

  /// Creates the folder.
  init(_ stage: DemoStage) throws {
    self.stage = stage
    folder = FileManager.default.temporaryDirectory.appending(
      path: "skein-demo-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let log = folder.appending(path: "errors.txt")
    try Data().write(to: log)
    errors = try FileHandle(forWritingTo: log)
    try errors.seekToEnd()
  }

  /// The path of a file in the folder.
  func file(_ name: String) -> URL { folder.appending(path: name) }

  /// The processes' standard error.
  var errorText: String {
    (try? String(contentsOf: folder.appending(path: "errors.txt"), encoding: .utf8)) ?? ""
  }

  /// Ends every process and removes the folder.
  func tearDown() async {
    for client in clients { await client.destroy() }
    await proxy?.destroy()
    await server?.destroy()
    try? FileManager.default.removeItem(at: folder)
  }

  // MARK: The server

  /// Starts the server. The first start chooses a free port, and later starts use the same port.
  func startServer() async throws {
    let isFirst = address.isEmpty
    try await launchServer(daysAgo: 0)
    if isFirst { witness = DemoWitness(server: address, user: "bob", password: password) }
    await stage.tells(
      of: "server", isFirst ? "listening on \(address)" : "is started again, same port, same data")
  }

  /// Stops the server and starts it again with its clock set back by a number of days.
  func restartServer(daysAgo: Int) async throws {
    await server?.signal(SIGTERM)
    await server?.ending()
    try await launchServer(daysAgo: daysAgo)
  }

  private func launchServer(daysAgo: Int) async throws {
    let process = try DemoProcess(
      ["serve", "--port", "\(port)", "--data", folder.appending(path: "server").path]
        + (daysAgo == 0 ? [] : ["--days-ago", "\(daysAgo)"]), errors: errors)
    server = process
    guard let line = await process.output.next(),
      let url = line.split(whereSeparator: { " ,".contains($0) }).first(where: { $0.hasPrefix("http://") })
    else { throw DemoFailure("the server did not start: \(errorText)") }
    address = String(url)
  }

  /// Kills the server with SIGKILL.
  func killServer() async { await server?.destroy() }

  /// Halts the server with SIGSTOP: it keeps its connections and answers nothing.
  func pauseServer() async { await server?.signal(SIGSTOP) }

  func resumeServer() async { await server?.signal(SIGCONT) }

  /// The port the server listens on.
  var port: Int { address.split(separator: ":").last.flatMap { Int($0) } ?? 0 }

  /// Starts a proxy in front of the server.
  func startProxy() async throws -> DemoProxy {
    let proxy = try await DemoProxy(to: address, errors: errors)
    self.proxy = proxy
    await stage.tells(of: "proxy", "before it, for alice: \(proxy.address)")
    return proxy
  }

  // MARK: The people

  /// Starts a person's client in the folder of `device`, or of the person's usual device if `device` is nil.
  ///
  /// Returns when the client is online, or at once if `waitsForConnection` is false.
  ///
  /// - Parameters:
  ///   - way: The address at which to reach the server; the server's own by default.
  ///   - words: Further options of `skein chat`.
  func start(
    _ name: String, device: String? = nil, registering: Bool = false, through way: String? = nil,
    words: [String] = [], waitsForConnection: Bool = true
  ) async throws -> DemoClient {
    let data = folder.appending(path: device ?? name).path
    let first = ["chat", "--server", way ?? address, "--user", name, "--data", data, "--json"]
    let client = try await DemoClient(
      name, words: first + words + (registering ? ["--register"] : []), password: password, errors: errors)
    clients.append(client)
    guard waitsForConnection else { return client }
    do {
      try await client.wait(20, for: "\(name) to be online") { $0.connection == .online }
    } catch {
      throw DemoFailure("\(error) \(errorText)")
    }
    return client
  }

  /// The people who write while Bob is away.
  func crowd() throws -> DemoCrowd { try DemoCrowd(server: address, password: password) }

  /// Returns all messages of Bob's chat with Alice once the server has at least `count` messages. Throws if
  /// the server has fewer after 30 s.
  func history(of count: Int) async throws -> [DemoWitness.Message] {
    let deadline = ContinuousClock.now + .seconds(30)
    while true {
      let history = try await witness.history(with: "alice")
      if history.count >= count { return history }
      guard ContinuousClock.now < deadline else {
        throw DemoFailure("waited 30 s for \(count) messages on the server; it has \(history.count)")
      }
      try await Task.sleep(for: .milliseconds(100))
    }
  }
}
