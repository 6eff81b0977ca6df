import Foundation
import Skein
import SkeinSimulation
import Synchronization
import Testing

@Suite("Cancelling a message")
struct CancellingTests {
  @Test(
    "A message cancelled before its first attempt is removed with its copied file, and the next one is sent",
    .simulated)
  func inTime() async throws {
    let client = try await stage.client("alice", on: "phone")
    let file = stage.folder.appending(path: "picture.png")
    try Data(repeating: 7, count: 1000).write(to: file)
    let chat = try await client.open(.direct("bob"))
    let picture = try await client.send(ImageContent(file: file), to: chat)
    let text = try await client.send(TextContent("stays"), to: chat)
    #expect(try await picture.cancel() == .cancelled)
    #expect(try await picture.state == .cancelled)
    let copies = try FileManager.default.contentsOfDirectory(
      atPath: stage.folder.appending(path: "phone/outgoing").path)
    #expect(copies.isEmpty)
    client.start()
    _ = try await text.result
    let list = try await client.context(for: chat).list { $0.count(.sent) == 1 }
    #expect(list.texts == ["stays"])
    #expect(stage.server.uploads == 0)
    await #expect(throws: ChatError.self) { try await picture.cancel() }
    await client.close()
  }

  @Test("Cancelling a message during its upload ends the upload", .simulated)
  func uploading() async throws {
    let client = try await stage.client("alice", on: "phone") { backend in
      backend.beforeUpload = { try await stage.runtime(named: "network").sleep(for: .seconds(1_000_000)) }
    }
    let file = stage.folder.appending(path: "picture.png")
    try Data(repeating: 7, count: 1000).write(to: file)
    client.start()
    let chat = try await client.open(.direct("bob"))
    let pictures = [
      try await client.send(ImageContent(file: file), to: chat),
      try await client.send(ImageContent(file: file), to: chat),
    ]
    for picture in pictures {
      for await state in picture.progress where state == .preparing(fraction: 0) {
        try #require(try await picture.cancel() == .cancelled)
      }
    }
    #expect(try await client.waitingMessageCount() == 0)
    await client.close()
  }

  @Test(
    "The file copies of a message that ends as another device's message, or as recalled, are removed",
    .simulated, arguments: [true, false])
  func otherEnds(isAdopted: Bool) async throws {
    let isTried = Mutex(false)
    let client = try await stage.client("alice", on: "phone") { backend in
      backend.onSend = { [runtime = backend.inner.runtime] message in
        isTried.withLock { $0 = true }
        try await runtime.sleep(for: .seconds(60))
        guard isAdopted else { throw BackendError(.permanent, "No.") }
        let stored = IncomingMessage(
          serverID: nil, messageID: message.id, sender: "alice", position: nil,
          time: Timestamp(milliseconds: 7), kind: message.kind, payload: message.payload)
        throw BackendError(.idInUse, "The id stands for another message.", stored: stored)
      }
    }
    let file = stage.folder.appending(path: "picture.png")
    try Data(repeating: 7, count: 1000).write(to: file)
    client.start()
    let chat = client.context(for: try await client.open(.direct("bob")))
    let picture = try await chat.messenger.send(ImageContent(file: file))
    while !isTried.withLock({ $0 }) {
      try await stage.runtime(named: "stage").sleep(for: .milliseconds(100))
    }
    // Until the attempt ends, the message may have arrived, so the recall waits.
    if !isAdopted { try await chat.messenger.recall(picture.id) }
    for await state in picture.progress where state.isEnd { break }
    let state = try await picture.state
    #expect(state == (isAdopted ? .sent : .cancelled))
    // The files are removed after the end is stored.
    try await stage.runtime(named: "stage").sleep(for: .seconds(1))
    let copies = try FileManager.default.contentsOfDirectory(
      atPath: stage.folder.appending(path: "phone/outgoing").path)
    #expect(copies.isEmpty)
    await client.close()
  }

  @Test("A message that has arrived can't be cancelled", .simulated)
  func tooLate() async throws {
    let client = try await stage.client("alice", on: "phone")
    client.start()
    let sent = try await client.send(TextContent("1"), to: try await client.open(.direct("bob")))
    _ = try await sent.result
    #expect(try await sent.cancel() == .tooLate)
    await client.close()
  }

  @Test(
    "A message cancelled during an attempt is either removed, or is on the server and in the list once",
    .simulated(seeds: 1...10))
  func underWay() async throws {
    let client = try await stage.client("alice", on: "phone")
    client.start()
    let context = client.context(for: try await client.open(.direct("bob")))
    _ = try await context.messenger.send(TextContent("1")).result
    stage.server.fail(next: [.responseLost])
    let sent = try await context.messenger.send(TextContent("2"))
    for await state in sent.progress where state == .posting { break }
    let outcome = try await sent.cancel()
    // Either the cancellation came before the attempt, or the server receives the message once.
    let count = outcome == .cancelled ? 1 : 2
    try await context.list { $0.count == count && $0.count(.sent) == count }
    #expect(stage.server.posts.count == count, "\(outcome), \(stage.server.posts.count) posts")
    await client.close()
  }

  @Test(
    "A message cancelled during an attempt blocks the next message until the attempt has ended", .simulated)
  func oneAtATime() async throws {
    let posts = Mutex((now: 0, most: 0))
    let client = try await stage.client("alice", on: "phone") { backend in
      backend.onSend = { [inner = backend.inner] message in
        posts.withLock {
          $0.now += 1
          $0.most = max($0.most, $0.now)
        }
        defer { posts.withLock { $0.now -= 1 } }
        try await stage.runtime(named: "network").sleep(for: .seconds(5))
        return try await inner.send(message)
      }
    }
    client.start()
    let context = client.context(for: try await client.open(.direct("bob")))
    let first = try await context.messenger.send(TextContent("first"))
    let second = try await context.messenger.send(TextContent("second"))
    for await state in first.progress where state == .posting { break }
    try await stage.runtime(named: "stage").sleep(for: .seconds(1))
    let outcome = try await first.cancel()
    #expect(outcome == .unknown)
    for await status in client.sendStates where status.count == 1 { break }
    _ = try await second.result
    let most = posts.withLock { $0.most }
    #expect(most == 1)
    #expect(context.messages.texts == ["first", "second"])
    await client.close()
  }

  /// Cancels a message during the given attempt. This attempt then ends with `error`; the attempts before it
  /// end with an unknown outcome.
  private func takeBack(
    _ stage: SimulatedStage, duringAttempt attempt: Int = 1, ending error: BackendError
  ) async throws -> (SentMessage, ChatContext, ChatClient) {
    let attempts = Mutex(0)
    let client = try await stage.client("alice", on: "phone") { backend in
      backend.onSend = { _ in
        let number = attempts.withLock {
          $0 += 1
          return $0
        }
        if number < attempt { throw BackendError(.transient, "No answer.", outcomeIsUnknown: true) }
        try await stage.runtime(named: "network").sleep(for: .seconds(5))
        throw error
      }
    }
    client.start()
    let context = client.context(for: try await client.open(.direct("bob")))
    let sent = try await context.messenger.send(TextContent("never mind"))
    while attempts.withLock({ $0 }) < attempt {
      try await stage.runtime(named: "stage").sleep(for: .milliseconds(100))
    }
    let outcome = try await sent.cancel()
    #expect(outcome == .unknown)
    return (sent, context, client)
  }

  @Test(
    "A message cancelled during an attempt is removed once the attempt has certainly failed", .simulated,
    arguments: [BackendError.Code.permanent, .transient, .unreachable])
  func surelyNotSent(code: BackendError.Code) async throws {
    let (sent, context, client) = try await takeBack(stage, ending: BackendError(code, "No."))
    try await context.list { $0.isEmpty }
    let state = try await sent.state
    #expect(state == .cancelled)
    await client.close()
  }

  @Test(
    "A cancelled message that may have arrived stays uncertain, even if a later attempt certainly fails",
    .simulated)
  func perhapsSent() async throws {
    let endings = [
      (1, BackendError(.transient, "No answer.", outcomeIsUnknown: true)),
      (2, BackendError(.permanent, "No.")),
    ]
    for (attempt, error) in endings {
      let (sent, _, client) = try await takeBack(stage, duringAttempt: attempt, ending: error)
      try await stage.runtime(named: "stage").sleep(for: .seconds(60))
      guard case .uncertain = try await sent.state else {
        throw Unexpected(what: "\(try await sent.state)")
      }
      await client.close()
    }
  }

  @Test(
    "A cancelled message that is retried is not removed when the earlier attempt ends",
    .simulated)
  func sentAgain() async throws {
    let (sent, context, client) = try await takeBack(stage, ending: BackendError(.transient, "No."))
    try await context.messenger.retry(sent.id)
    try await stage.runtime(named: "stage").sleep(for: .seconds(30))
    #expect(context.messages.count == 1, "\(context.messages.statuses)")
    await client.close()
  }

  @Test("After a chat is cleared, a sent message counts as sent, and a failed message as failed", .simulated)
  func cleared() async throws {
    let client = try await stage.client("alice", on: "phone")
    client.start()
    let context = client.context(for: try await client.open(.direct("bob")))
    let sent = try await context.messenger.send(TextContent("1"))
    _ = try await sent.result
    stage.server.fail(next: [.refused])
    let refused = try await context.messenger.send(TextContent("2"))
    try await context.list { $0.count(.failed) == 1 }
    try await context.clearAllMessages()
    try await context.list { $0.isEmpty }
    let states = (try await sent.state, try await refused.state)
    guard case (.sent, .failed) = states else { throw Unexpected(what: "\(states)") }
    await client.close()
  }

  @Test("Cancelling a failed message removes it", .simulated)
  func failed() async throws {
    let client = try await stage.client("alice", on: "phone")
    client.start()
    stage.server.fail(next: [.refused])
    let context = client.context(for: try await client.open(.direct("bob")))
    let sent = try await context.messenger.send(TextContent("1"))
    try await context.list { $0.count(.failed) == 1 }
    #expect(try await context.messenger.cancel(sent.id) == .cancelled)
    try await context.list { $0.isEmpty }
    await client.close()
  }
}
