import Skein
import SkeinSimulation
import Synchronization
import Testing

@Suite("Renewal and end of sessions")
struct RenewalTests {
  /// A server that can let the session expire and fail renewals.
  private final class Doorkeeper: Sendable {
    private struct State {
      var isExpired = false
      var renewals = 0
      var failures: [BackendError] = []
    }
    private let state = Mutex(State())

    var renewals: Int { state.withLock { $0.renewals } }
    func expire(failing failures: [BackendError] = []) {
      state.withLock { ($0.isExpired, $0.failures) = (true, failures) }
    }
    func check() throws {
      if state.withLock({ $0.isExpired }) { throw BackendError(.unauthorized, "The token has expired.") }
    }
    func renew(_ runtime: Runtime) async throws {
      try await runtime.sleep(for: .seconds(1))
      try state.withLock { state in
        state.renewals += 1
        if !state.failures.isEmpty { throw state.failures.removeFirst() }
        state.isExpired = false
      }
    }
  }

  private func client(
    _ user: UserID, on device: String, _ stage: SimulatedStage, _ door: Doorkeeper, canRenew: Bool = true
  ) async throws -> ChatClient {
    try await stage.client(user, on: device) { backend in
      let inner = backend.inner
      backend.inner.abilities.renewal = canRenew
      backend.onSync = { _, batch in
        try door.check()
        return batch
      }
      backend.onSend = { message in
        try door.check()
        return try await inner.send(message)
      }
      backend.onHistory = { _ in try door.check() }
      backend.onRenew = { [runtime = inner.runtime] in try await door.renew(runtime) }
    }
  }

  @Test(
    "Calls rejected at the same time renew the session once, and each message arrives once",
    .simulated(seeds: 1...8))
  func once() async throws {
    let door = Doorkeeper()
    let client = try await client("alice", on: "alice", stage, door)
    client.start()
    for await state in client.catchUpStates where state == .caughtUp { break }
    let chats = try await ["bob", "carol", "dave"].asyncMap {
      try await client.open(.direct(UserID(rawValue: $0)))
    }
    door.expire()
    let sent = try await chats.asyncMap { try await client.send(TextContent("hello"), to: $0) }
    for message in sent { _ = try await message.result }
    #expect(door.renewals == 1)
    #expect(stage.server.posts.count == 3)
    #expect(client.connectionState == .online)
    await client.close()
  }

  @Test(
    "A renewal that fails temporarily is repeated, and waiting messages are sent after it has succeeded",
    .simulated)
  func later() async throws {
    let door = Doorkeeper()
    let client = try await client("alice", on: "alice", stage, door)
    client.start()
    for await state in client.catchUpStates where state == .caughtUp { break }
    let chat = try await client.open(.direct("bob"))
    door.expire(failing: [BackendError(.unreachable, "Away."), BackendError(.transient, "Busy.")])
    _ = try await client.send(TextContent("hello"), to: chat).result
    #expect(door.renewals == 3)
    await client.close()
  }

  @Test(
    "A rejected session that can't be renewed ends, and waiting messages are sent after the next start",
    .simulated,
    arguments: [true, false])
  func over(canRenew: Bool) async throws {
    let door = Doorkeeper()
    let client = try await client("alice", on: "alice", stage, door, canRenew: canRenew)
    client.start()
    for await state in client.catchUpStates where state == .caughtUp { break }
    let chat = try await client.open(.direct("bob"))
    door.expire(failing: canRenew ? [BackendError(.permanent, "That refresh token is not known.")] : [])
    let sent = try await client.send(TextContent("hello"), to: chat)
    for await state in client.connectionStates {
      if case .signedOut(let reason) = state {
        let expected = canRenew ? "That refresh token is not known." : "The token has expired."
        try #require(reason == FailureReason(.unauthorized, expected))
        break
      }
    }
    try await stage.runtime(named: "stage").sleep(for: .seconds(600))
    #expect(door.renewals == (canRenew ? 1 : 0))
    #expect(client.sendStatus.state(of: sent.id) == .signedOut)
    await #expect(throws: BackendError.self) { try await client.context(for: chat).fetchNewMessages() }
    await client.stop()
    try await door.renew(stage.runtime(named: "stage"))
    client.start()
    _ = try await sent.result
    #expect(stage.server.posts.count == 1)
    await client.close()
  }

  @Test("A stop does not wait for a renewal", .simulated)
  func stop() async throws {
    let door = Doorkeeper()
    let runtime = stage.runtime(named: "stage")
    let client = try await stage.client("alice", on: "alice") { backend in
      backend.inner.abilities.renewal = true
      backend.onSync = { _, batch in
        try door.check()
        return batch
      }
      backend.onRenew = { [runtime = backend.inner.runtime] in
        try await runtime.sleep(for: .seconds(86_400))
      }
    }
    door.expire()
    client.start()
    try await runtime.sleep(for: .seconds(10))
    await client.stop()
    await client.close()
  }
}

extension Sequence {
  fileprivate func asyncMap<Value>(_ body: (Element) async throws -> Value) async rethrows -> [Value] {
    var values: [Value] = []
    for element in self { values.append(try await body(element)) }
    return values
  }
}
