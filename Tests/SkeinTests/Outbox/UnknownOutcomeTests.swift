import Skein
import SkeinSimulation
import Synchronization
import Testing

@Suite("Attempts with an unknown outcome")
struct UnknownOutcomeTests {
  typealias Idempotency = BackendCapabilities.Idempotency

  /// The number of posts and of lookups.
  final class Network: Sendable {
    private let state = Mutex((posts: 0, lookups: 0))
    var posts: Int { state.withLock { $0.posts } }
    var lookups: Int { state.withLock { $0.lookups } }
    func posted() -> Int {
      state.withLock {
        $0.posts += 1
        return $0.posts
      }
    }
    func lookedUp() -> Int {
      state.withLock {
        $0.lookups += 1
        return $0.lookups
      }
    }
  }

  /// A client that receives nothing by sync, whose first post has an unknown outcome, and whose first lookup
  /// fails.
  private func client(
    _ stage: SimulatedStage, _ network: Network, _ idempotency: Idempotency,
    _ echo: BackendCapabilities.Echo = .always, arrives: Bool, retryAfter: Duration? = nil
  ) async throws -> ChatClient {
    try await stage.client("alice", on: "phone") { backend in
      backend.inner.abilities = ServerAbilities(
        idempotency: idempotency, ordering: .dense, echoesMessageID: echo)
      backend.onSync = { _, _ in throw BackendError(.transient, "No sync.") }
      backend.onHistory = { _ in
        if network.lookedUp() == 1 { throw BackendError(.unreachable, "The network is down.") }
      }
      backend.onSend = { [inner = backend.inner] message in
        let isFirst = network.posted() == 1
        guard isFirst, !arrives else {
          let receipt = try await inner.send(message)
          guard isFirst else { return receipt }
          throw BackendError(.transient, "No answer.", retryAfter: retryAfter, outcomeIsUnknown: true)
        }
        throw BackendError(.transient, "No answer.", retryAfter: retryAfter, outcomeIsUnknown: true)
      }
    }
  }

  @Test(
    "If the second attempt definitely fails, the message may still have arrived by its first attempt",
    .simulated,
    arguments: [BackendError.Code.transient, .permanent])
  func secondAttempt(code: BackendError.Code) async throws {
    let network = Network()
    let client = try await stage.client("alice", on: "phone") { backend in
      backend.onSync = { _, _ in throw BackendError(.transient, "No sync.") }
      backend.onSend = { [inner = backend.inner] message in
        guard network.posted() == 1 else { throw BackendError(code, "No.", retryAfter: .seconds(600)) }
        _ = try await inner.send(message)
        throw BackendError(.transient, "No answer.", outcomeIsUnknown: true)
      }
    }
    client.start()
    let sent = try await client.send(TextContent("arrived"), to: try await client.open(.direct("bob")))
    try await Self.takeBack(sent, afterTwoPostsTo: network)
    await client.close()
  }

  @Test(
    "A message that the user has retried may still arrive by its first attempt, and is then uncertain",
    .simulated,
    arguments: [BackendError.Code.transient, .permanent])
  func sentAgain(code: BackendError.Code) async throws {
    let network = Network()
    let client = try await stage.client("alice", on: "phone") { backend in
      backend.inner.abilities = ServerAbilities(
        idempotency: .none, ordering: .dense, echoesMessageID: .never)
      backend.onSync = { _, _ in throw BackendError(.transient, "No sync.") }
      backend.onSend = { _ in
        guard network.posted() == 1 else { throw BackendError(code, "No.", retryAfter: .seconds(600)) }
        throw BackendError(.transient, "No answer.", outcomeIsUnknown: true)
      }
    }
    client.start()
    let context = client.context(for: try await client.open(.direct("bob")))
    let sent = try await context.messenger.send(TextContent("arrives late"))
    for await state in sent.progress where state.isEnd { break }
    guard case .uncertain = try await sent.state else { throw Unexpected(what: "\(try await sent.state)") }
    try await context.messenger.retry(sent.id)
    try await Self.takeBack(sent, afterTwoPostsTo: network)
    await client.close()
  }

  /// Checks that a message that may have arrived can't be cancelled after two posts, and is uncertain.
  private static func takeBack(_ sent: SentMessage, afterTwoPostsTo network: Network) async throws {
    for await state in sent.progress where network.posts == 2 {
      if state.isEnd { break }
      if case .waiting = state { break }
    }
    let outcome = try await sent.cancel()
    #expect(outcome == .unknown)
    guard case .uncertain = try await sent.state else { throw Unexpected(what: "\(try await sent.state)") }
  }

  private func play(
    _ idempotency: Idempotency, _ echo: BackendCapabilities.Echo = .always, arrives: Bool,
    retryAfter: Duration? = nil, restarts: Bool = false, posts: Int, isSent: Bool, lookups: ClosedRange<Int>
  ) async throws {
    let network = Network()
    var client = try await client(stage, network, idempotency, echo, arrives: arrives, retryAfter: retryAfter)
    client.start()
    // A later connection would trigger the next attempt at once.
    for await state in client.connectionStates where state == .online { break }
    try await stage.runtime(named: "stage").sleep(for: .seconds(1))
    let chat = try await client.open(.direct("bob"))
    var sent = try await client.send(TextContent("perhaps"), to: chat)
    if restarts {
      for await state in sent.progress {
        if case .waiting = state { break }
      }
      await client.close()
      client = try await self.client(stage, network, idempotency, echo, arrives: arrives)
      client.start()
      let id = sent.id
      let list = try await client.context(for: chat).list {
        $0.contains { $0.message?.id == id && [.sent, .uncertain].contains($0.message?.status) }
      }
      #expect(list.count(.sent) == (isSent ? 1 : 0), "\(list.statuses)")
    } else {
      var end: SendState?
      for await state in sent.progress { end = state }
      if isSent {
        #expect(end == .sent)
      } else {
        guard case .uncertain(let failure) = end, failure.code == .outcomeUnknown else {
          throw Unexpected(what: "\(String(describing: end))")
        }
        // The user retries the uncertain message.
        let context = client.context(for: chat)
        try await context.messenger.retry(sent.id)
        sent = try await client.send(TextContent("after"), to: chat)
        _ = try await sent.result
      }
    }
    let expected = isSent || restarts ? posts : posts + 2
    #expect(network.posts == expected)
    #expect(lookups.contains(network.lookups))
    await client.close()
  }

  @Test(
    "Without idempotency, a message is looked up until the lookup succeeds, and counts as sent if it is found",
    .simulated)
  func lookedUp() async throws {
    try await play(.none, arrives: true, posts: 1, isSent: true, lookups: 2...2)
  }

  @Test(
    "A message that a lookup does not find is uncertain, and is sent again if the user retries it", .simulated
  )
  func notThere() async throws {
    try await play(.none, arrives: false, posts: 1, isSent: false, lookups: 2...2)
  }

  @Test("Without echoed message ids, attempts are not looked up", .simulated)
  func noEcho() async throws {
    try await play(.none, .never, arrives: true, posts: 1, isSent: false, lookups: 0...0)
  }

  @Test(
    "An attempt is repeated within the server's idempotency window", .simulated, arguments: [true, false])
  func window(arrives: Bool) async throws {
    let window = Idempotency.window(.seconds(120))
    try await play(window, arrives: arrives, posts: 2, isSent: true, lookups: 0...0)
  }

  @Test(
    "An attempt is looked up after the server's idempotency window has passed", .simulated,
    arguments: [true, false])
  func beyondWindow(arrives: Bool) async throws {
    let window = Idempotency.window(.seconds(5))
    try await play(
      window, arrives: arrives, retryAfter: .seconds(30), posts: 1, isSent: arrives, lookups: 2...2)
  }

  @Test(
    "An attempt is looked up if its repetition may arrive after the server's idempotency window", .simulated)
  func endOfWindow() async throws {
    let window = Idempotency.window(.seconds(120))
    try await play(window, arrives: true, retryAfter: .seconds(70), posts: 1, isSent: true, lookups: 2...2)
  }

  @Test(
    "After a restart the attempt is looked up, because its age is unknown", .simulated,
    arguments: [true, false])
  func restart(arrives: Bool) async throws {
    let window = Idempotency.window(.seconds(3600))
    try await play(
      window, arrives: arrives, retryAfter: .seconds(30), restarts: true, posts: 1, isSent: arrives,
      lookups: 1...4)
  }
}
