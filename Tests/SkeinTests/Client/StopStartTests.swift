import Skein
import SkeinSimulation
import Synchronization
import Testing

@Suite("Stopping and starting")
struct StopStartTests {
  @Test(
    "Starting a client while it is stopping has the same effect as starting it afterwards",
    .simulated(seeds: 1...40))
  func startDuringStop() async throws {
    let bob = try await stage.client("bob", on: "bob")
    let ref = try stage.server.open(.direct("bob"), by: "alice").ref
    for number in 1...6 {
      bob.start()
      try stage.server.post("\(number)", from: "alice", in: ref)
      try await stage.runtime(named: "stage").sleep(for: .milliseconds(Int64(stage.world.random() % 60)))
      let stopping = stage.runtime(named: "stage").spawn { await bob.stop() }
      await Task.yield()
      bob.start()
      if number % 2 == 0 { await bob.stop() }
      try await stopping.value
    }
    bob.start()
    let chat = try await bob.conversations.first { $0.unreadCount == 6 }.id
    let sent = try await bob.send(TextContent("here"), to: chat)
    _ = try await sent.result
    await bob.close()
  }

  @Test("A start tries waiting messages at once, also without a push channel", .simulated)
  func startAfterOutage() async throws {
    let bob = try await stage.client("bob", on: "bob") { backend in
      backend.onRun = { _ in throw BackendError(.unsupported, "This server can't push.") }
    }
    bob.start()
    let chat = try await bob.open(.direct("alice"))
    _ = try await bob.send(TextContent("1"), to: chat).result
    stage.server.setReachable(false)
    let waiting = try await bob.send(TextContent("2"), to: chat)
    try await stage.runtime(named: "stage").sleep(for: .seconds(1800))
    await bob.stop()
    stage.server.setReachable(true)
    let start = stage.world.now
    bob.start()
    _ = try await waiting.result
    let passed = stage.world.now - start
    #expect(passed < .seconds(1), "\(passed)")
    await bob.close()
  }

  @Test("A stopped client shows an interrupted message as waiting, not as being sent", .simulated)
  func interruptedPost() async throws {
    let isSilent = Mutex(true)
    let bob = try await stage.client("bob", on: "bob") { [stage] backend in
      backend.onSend = { [inner = backend.inner] message in
        if isSilent.withLock({ $0 }) {
          try await stage.runtime(named: "network").sleep(for: .seconds(86_400))
        }
        return try await inner.send(message)
      }
    }
    bob.start()
    let chat = try await bob.open(.direct("alice"))
    let context = bob.context(for: chat)
    let sent = try await bob.send(TextContent("1"), to: chat)
    for await state in sent.progress where state == .posting { break }
    try await context.list { $0.statuses == [.sending] }
    await bob.stop()
    try await context.list { $0.statuses == [.queued] }
    isSilent.withLock { $0 = false }
    bob.start()
    _ = try await sent.result
    await bob.close()
  }

  @Test("A stopped client shows a prepared message as waiting", .simulated)
  func prepared() async throws {
    let bob = try await stage.client("bob", on: "bob") { backend in
      backend.onSend = { _ in
        throw BackendError(.rateLimited, "Later.", retryAfter: .seconds(3600))
      }
    }
    bob.start()
    let chat = try await bob.open(.direct("alice"))
    let context = bob.context(for: chat)
    for name in ["one", "two"] {
      _ = try await bob.send(ImageContent(file: try stage.photo(name)), to: chat)
    }
    try await context.list { $0.statuses == [.queued, .sending] }
    try await stage.runtime(named: "stage").sleep(for: .seconds(10))
    await bob.stop()
    try await context.list { $0.statuses == [.queued, .queued] }
    await bob.close()
  }

  @Test(
    "A client that is started while it is closing keeps no other client from the folder",
    .simulated(seeds: 1...20))
  func startDuringClose() async throws {
    let first = try await stage.client("bob", on: "bob")
    first.start()
    try await first.reach { $0 == .online }
    let clock = stage.runtime(named: "stage")
    let closing = clock.spawn { await first.close() }
    for _ in 0..<Int(stage.world.random() % 20) { await Task.yield() }
    first.start()
    try await closing.value
    let second = try await stage.client("bob", on: "bob")
    second.start()
    try await second.reach { $0 == .online }
    try await second.erase(evenUnsent: true)
    await first.close()
  }
}
