import Foundation
import Skein
import SkeinSimulation
import Synchronization
import Testing

@Suite("Parked messages")
struct ParkingTests {
  /// A client whose server fails for every message that contains `bad`, until `isMended` returns true.
  private func client(
    _ stage: SimulatedStage, giveUpAfter: Duration = .seconds(24 * 3600), outcomeIsUnknown: Bool = false,
    isMended: @escaping @Sendable () -> Bool = { false }
  ) async throws -> ChatClient {
    var options = ChatOptions()
    options.giveUpAfter = giveUpAfter
    return try await stage.client("alice", on: "phone", options: options) { backend in
      backend.onSend = { [inner = backend.inner] message in
        guard String(decoding: message.payload, as: UTF8.self).contains("bad"), !isMended() else {
          return try await inner.send(message)
        }
        throw BackendError(.transient, "The server broke.", outcomeIsUnknown: outcomeIsUnknown)
      }
    }
  }

  @Test(
    "A message that fails while others succeed is parked and stays so after a restart; a retry posts it at once",
    .simulated)
  func parking() async throws {
    let mended = Mutex(false)
    var client = try await client(stage) { mended.withLock { $0 } }
    client.start()
    let chat = try await client.open(.direct("bob"))
    let bad = try await client.send(TextContent("bad"), to: chat)
    let next = try await client.send(TextContent("next"), to: chat)
    for await state in bad.progress {
      if state == .parked(reason: FailureReason(.transient, "The server broke.")) { break }
    }
    _ = try await next.result
    await client.close()

    client = try await self.client(stage) { mended.withLock { $0 } }
    client.start()
    let context = client.context(for: chat)
    _ = try await context.messenger.send(TextContent("after")).result
    mended.withLock { $0 = true }
    let time = stage.runtime(named: "stage").uptime()
    try await context.messenger.retry(bad.id)
    try await context.list { $0.count(.sent) == 3 }
    #expect(stage.runtime(named: "stage").uptime() - time < .seconds(60))
    await client.close()
  }

  @Test(
    "A parked message fails after the time limit, or becomes uncertain if it may have arrived",
    .simulated(seeds: 1...3),
    arguments: [false, true])
  func givingUp(outcomeIsUnknown: Bool) async throws {
    let client = try await client(stage, giveUpAfter: .seconds(3600), outcomeIsUnknown: outcomeIsUnknown)
    client.start()
    let bad = try await client.send(TextContent("bad"), to: try await client.open(.direct("bob")))
    var end: SendState?
    for await state in bad.progress { end = state }
    let uptime = stage.runtime(named: "stage").uptime()
    #expect((.seconds(3600)...(.seconds(5400))).contains(uptime))
    switch end {
    case .failed(let failure) where !outcomeIsUnknown: #expect(failure.code == .gaveUp)
    case .uncertain(let failure) where outcomeIsUnknown: #expect(failure.code == .gaveUp)
    default: throw Unexpected(what: "\(String(describing: end))")
    }
    await client.close()
  }

  @Test(
    "A message that breaks the connection every time is parked and blocks no others", .simulated)
  func breaksConnection() async throws {
    let client = try await stage.client("alice", on: "phone") { backend in
      backend.onSend = { [inner = backend.inner] message in
        guard String(decoding: message.payload, as: UTF8.self).contains("bad") else {
          return try await inner.send(message)
        }
        throw BackendError(.unreachable, "The connection was lost.", outcomeIsUnknown: true)
      }
    }
    client.start()
    let chat = try await client.open(.direct("bob"))
    let bad = try await client.send(TextContent("bad"), to: chat)
    let next = try await client.send(TextContent("next"), to: chat)
    try await stage.runtime(named: "stage").sleep(for: .seconds(3600))
    let states = (try await bad.state, try await next.state)
    #expect(states == (.parked(reason: FailureReason(.unreachable, "The connection was lost.")), .sent))
    await client.close()
  }

  @Test(
    "With strict order, an upload that breaks the connection every time is parked as well",
    .simulated,
    arguments: [false, true])
  func breaksUpload(outcomeIsUnknown: Bool) async throws {
    var options = ChatOptions()
    options.lanePolicy = .strict
    let client = try await stage.client("alice", on: "phone", options: options) { backend in
      backend.beforeUpload = {
        try await stage.runtime(named: "network").sleep(for: .seconds(3))
        throw BackendError(.unreachable, "The connection was lost.", outcomeIsUnknown: outcomeIsUnknown)
      }
    }
    let file = stage.folder.appending(path: "picture.png")
    try Data(repeating: 7, count: 1000).write(to: file)
    client.start()
    let chat = try await client.open(.direct("bob"))
    let picture = try await client.send(ImageContent(file: file), to: chat)
    let next = try await client.send(TextContent("next"), to: chat)
    try await stage.runtime(named: "stage").sleep(for: .seconds(3600))
    let states = (try await picture.state, try await next.state)
    #expect(states == (.parked(reason: FailureReason(.unreachable, "The connection was lost.")), .sent))
    await client.close()
  }

  @Test(
    "A message that depends on a parked message of another chat does not block later messages of its own chat",
    .simulated,
    arguments: [LanePolicy.strict, .mediaLane])
  func waitsForParked(policy: LanePolicy) async throws {
    var options = ChatOptions()
    options.lanePolicy = policy
    let isMended = Mutex(false)
    let client = try await stage.client("alice", on: "phone", options: options) { backend in
      backend.onSend = { [inner = backend.inner] message in
        guard String(decoding: message.payload, as: UTF8.self).contains("bad"), !isMended.withLock({ $0 })
        else { return try await inner.send(message) }
        throw BackendError(.transient, "The server broke.")
      }
    }
    client.start()
    let chats = [try await client.open(.direct("bob")), try await client.open(.direct("carol"))]
    let bad = try await client.send(TextContent("bad"), to: chats[0])
    let other = client.context(for: chats[1])
    let waiting = try await client.forward([bad.id], to: [chats[1]])[0]
    let chain = try await client.forward([waiting.id], to: [chats[1]])[0]
    let next = try await other.messenger.send(TextContent("next"))
    try await stage.runtime(named: "stage").sleep(for: .seconds(3600))
    let states = (try await bad.state, try await waiting.state, try await chain.state, try await next.state)
    #expect(
      states == (
        .parked(reason: FailureReason(.transient, "The server broke.")), .blocked(by: bad.id),
        .blocked(by: waiting.id), .sent
      ))
    isMended.withLock { $0 = true }
    for message in [waiting, chain] { _ = try await message.result }
    await client.close()
  }

  @Test("Time without a connection never makes a message fail", .simulated)
  func offline() async throws {
    let client = try await client(stage, giveUpAfter: .seconds(600))
    client.start()
    let chat = try await client.open(.direct("bob"))
    _ = try await client.send(TextContent("1"), to: chat).result
    stage.server.setReachable(false)
    let sent = try await client.send(TextContent("2"), to: chat)
    try await stage.runtime(named: "stage").sleep(for: .seconds(1800))
    stage.server.setReachable(true)
    _ = try await sent.result
    await client.close()
  }

  @Test(
    "An upload is not parked while the device is offline, even if pictures that need no upload are sent",
    .simulated)
  func offlineUploads() async throws {
    let client = try await stage.client("alice", on: "phone")
    client.start()
    let (first, second) = (try await client.open(.direct("bob")), try await client.open(.direct("carol")))
    let known = try stage.photo("known"), new = try stage.photo("new")
    try Data("another".utf8).write(to: new)
    _ = try await client.send(ImageContent(file: known), to: second).result
    stage.server.setReachable(false)
    let waiting = try await client.send(ImageContent(file: new), to: first)
    let clock = stage.runtime(named: "stage")
    for _ in 1...12 {
      try await client.send(ImageContent(file: known), to: second)
      try await clock.sleep(for: .seconds(20))
    }
    let state = try await waiting.state
    if case .parked = state { Issue.record("\(state)") }
    stage.server.setReachable(true)
    let before = clock.uptime()
    _ = try await waiting.result
    #expect(clock.uptime() - before < .seconds(120))
    await client.close()
  }
}
