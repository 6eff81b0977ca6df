import CReference
import Foundation
import Skein
import SkeinHTTP
import SkeinServer
import SkeinTesting

/// The reference server over loopback: stored posts, plain requests, the way from one client's call to the
/// other client's list, and a lane over a slow link.
struct Serving {
  let bench: Workbench
  let isShort: Bool

  func figures() async throws -> [Figure] {
    let options = ServerOptions(folder: bench.path())
    let server = try await ChatServer.start(options)
    guard let url = URL(string: "http://127.0.0.1:\(server.port)") else {
      throw BenchError("There is no address.")
    }
    let accounts = HTTPAccounts(server: url)
    var sessions: [Session] = []
    for user in ["alice", "bob"] {
      try await accounts.register(UserID(user), password: "open sesame")
      sessions.append(try await accounts.signIn(UserID(user), password: "open sesame"))
    }
    var figures = try await posts(to: server, as: sessions[0])
    figures += try await screens(sessions)
    figures.append(try await longLink(to: server))
    await server.stop()
    return figures
  }

  private func posts(to server: ChatServer, as session: Session) async throws -> [Figure] {
    let backend = HTTPBackend(session)
    var chats: [UnsafePointer<CChar>?] = []
    for number in 0..<8 {
      let info = try await backend.open(
        .group(id: "group-\(number)", title: "Group \(number)", members: ["bob"]))
      chats.append(UnsafePointer(strdup(info.ref.rawValue)))
    }
    defer { for chat in chats { free(UnsafeMutablePointer(mutating: chat)) } }
    let port = Int32(server.port)
    var figures: [Figure] = []
    for (connections, budget) in [(1, 1500.0), (32, 10_000), (100, 10_000)] {
      let each = (isShort ? 400 : 8000) / connections
      var rates: [Double] = []
      for round in 0..<(isShort ? 1 : 3) {
        let elapsed = load_posts(
          port, session.token.rawValue, chats, Int32(chats.count), Int32(connections), Int32(each),
          "post-\(connections)-\(round)")
        guard elapsed > 0 else { throw BenchError("The server refused a post.") }
        rates.append(Double(each * connections) / (Double(elapsed) / 1e9))
      }
      figures.append(Figure("server.posts.\(connections)", rates, "posts/s", .higher, budget: budget))
    }
    let each = isShort ? 500 : 10_000
    let rates = (0..<3).map { _ in Double(32 * each) / (Double(load_health(port, 32, Int32(each))) / 1e9) }
    return figures + [Figure("server.health.32", rates, "requests/s", .higher, budget: 40_000)]
  }

  /// A lane of messages that were composed offline, sent over a WebSocket with a round trip of 50 ms.
  private func longLink(to server: ChatServer) async throws -> Figure {
    let relay = try Relay(toPort: server.port, delay: .milliseconds(25))
    defer { relay.close() }
    guard let url = URL(string: "http://127.0.0.1:\(relay.port)") else {
      throw BenchError("There is no address.")
    }
    let session = try await HTTPAccounts(server: url).signIn("alice", password: "open sesame")
    var options = HTTPOptions()
    options.sending = .socket
    let count = isShort ? 100 : 1000
    var rates: [Double] = []
    for _ in 0..<(isShort ? 1 : 3) {
      let client = try await ChatClient.open(
        account: "alice", backend: HTTPBackend(session, options: options),
        runtime: .system(directory: bench.path()))
      client.start()
      let chat = try await client.open(.direct("bob"))
      _ = try await client.send(TextContent("first"), to: chat).result
      await client.stop()
      var last: SentMessage?
      for number in 1...count { last = try await client.send(TextContent("message \(number)"), to: chat) }
      client.start()
      let elapsed = try await time { _ = try await last?.result }
      rates.append(Double(count) / elapsed.seconds)
      await client.close()
    }
    return Figure("lane.link-50ms.\(count)", rates, "messages/s", .higher, budget: 334)
  }

  /// Alice sends, and each message is timed until Bob's list has it.
  private func screens(_ sessions: [Session]) async throws -> [Figure] {
    var clients: [ChatClient] = []
    for session in sessions {
      clients.append(
        try await ChatClient.open(
          account: session.user, backend: HTTPBackend(session), runtime: .system(directory: bench.path())))
    }
    for client in clients { client.start() }
    let chat = try await clients[0].open(.direct("bob"))
    let (sent, shown) = (clients[0], clients[1])
    _ = try await sent.send(TextContent("first"), to: chat).result
    let context = shown.context(for: try await shown.open(.direct("alice")))
    try await context.open()
    var times: [Double] = []
    for number in 0..<(isShort ? 50 : 500) {
      let started = ContinuousClock.now
      let message = try await sent.send(TextContent("message \(number)"), to: chat)
      for await _ in context.changes where context.messages.last?.message?.messageID == message.messageID {
        break
      }
      times.append((ContinuousClock.now - started).milliseconds)
    }
    for client in clients { await client.close() }
    return [("p50", 0.5), ("p95", 0.95), ("p99", 0.99)].map {
      Figure("screen.to.screen.\($0)", [times.percentile($1)], "ms")
    }
  }
}
