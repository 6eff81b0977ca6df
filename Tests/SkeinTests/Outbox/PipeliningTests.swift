import Foundation
import Skein
import SkeinSimulation
import Synchronization
import Testing

@Suite("Messages posted together")
struct PipeliningTests {
  /// A client with waiting messages "1" to "100", or fewer, whose backend posts several at a time.
  private static func client(
    waiting count: Int = 100, altering alter: (inout AlteredBackend) -> Void = { _ in }
  ) async throws -> (client: ChatClient, context: ChatContext, sent: [SentMessage]) {
    let client = try await stage.client("alice", on: "phone") { backend in
      backend.inner.abilities.pipelining = true
      alter(&backend)
    }
    let context = client.context(for: try await client.open(.direct("bob")))
    var sent: [SentMessage] = []
    for number in 1...count { sent.append(try await context.messenger.send(TextContent("\(number)"))) }
    return (client, context, sent)
  }

  private static func storedTexts() throws -> [String] {
    let ref = try stage.server.open(.direct("bob"), by: "alice").ref
    return stage.server.messages(in: ref).compactMap {
      try? JSONDecoder().decode(TextContent.self, from: $0.payload).text
    }
  }

  private let all = (1...100).map(String.init)

  @Test("Waiting messages are posted together, and stored in their order", .simulated)
  func together() async throws {
    let sizes = Mutex<[Int]>([])
    let (client, context, _) = try await Self.client { backend in
      backend.onPipeline = { [inner = backend.inner] messages, report in
        sizes.withLock { $0.append(messages.count) }
        await inner.send(messages, report: report)
      }
    }
    client.start()
    let list = try await context.list { $0.count(.sent) == 100 }
    #expect(list.texts == all)
    #expect(try Self.storedTexts() == all)
    #expect(sizes.withLock { $0 } == [64, 36])
    await client.close()
  }

  @Test("Messages that are composed while a message is being posted are posted together", .simulated)
  func composedMeanwhile() async throws {
    let sizes = Mutex<[Int]>([])
    let client = try await stage.client("alice", on: "phone") { backend in
      backend.inner.abilities.pipelining = true
      backend.onPipeline = { [inner = backend.inner] messages, report in
        sizes.withLock { $0.append(messages.count) }
        await inner.send(messages, report: report)
      }
      backend.onSend = { [inner = backend.inner] message in
        try await stage.runtime(named: "network").sleep(for: .seconds(5))
        return try await inner.send(message)
      }
    }
    client.start()
    let context = client.context(for: try await client.open(.direct("bob")))
    let first = try await context.messenger.send(TextContent("0"))
    for await state in first.progress where state == .posting { break }
    for number in 1...10 { _ = try await context.messenger.send(TextContent("\(number)")) }
    let list = try await context.list { $0.count(.sent) == 11 }
    #expect(list.texts == (0...10).map(String.init))
    #expect(sizes.withLock { $0 } == [10])
    await client.close()
  }

  @Test("Messages behind a message that the server can't store yet keep their order", .simulated)
  func busy() async throws {
    let (client, context, _) = try await Self.client()
    let busy = Array(repeating: MemoryServer.Fault.busy(retryAfter: nil), count: 3)
    stage.server.fail(next: [.none, .none] + busy + [.none, .responseLost] + busy)
    client.start()
    let list = try await context.list { $0.count(.sent) == 100 }
    #expect(list.texts == all)
    #expect(try Self.storedTexts() == all)
    await client.close()
  }

  @Test("A message behind a refused message is never posted twice at the same time", .simulated)
  func onceAtATime() async throws {
    let posts = Mutex((now: 0, most: 0))
    let network = stage.runtime(named: "network")
    let (client, context, _) = try await Self.client(waiting: 3) { backend in
      backend.onPipeline = { [inner = backend.inner] messages, report in
        await inner.send(messages, report: report)
        // The third message is posted again before the first attempt at all three returns.
        try? await network.sleep(for: .seconds(2))
      }
      backend.onSend = { [inner = backend.inner] message in
        posts.withLock {
          $0.now += 1
          $0.most = max($0.most, $0.now)
        }
        defer { posts.withLock { $0.now -= 1 } }
        try await network.sleep(for: .seconds(5))
        return try await inner.send(message)
      }
    }
    stage.server.fail(next: [.none, .refused])
    client.start()
    let list = try await context.list { $0.count(.sent) == 2 && $0.count(.failed) == 1 }
    #expect(list.texts == ["1", "2", "3"])
    for await status in client.sendStates where status.count == 0 { break }
    #expect(posts.withLock { $0.most } == 1)
    await client.close()
  }

  @Test("Messages behind a refused message are sent", .simulated)
  func refused() async throws {
    let (client, context, sent) = try await Self.client()
    stage.server.fail(next: [.none, .none, .refused])
    client.start()
    try await context.list { $0.count(.sent) == 99 && $0.count(.failed) == 1 }
    #expect(try Self.storedTexts() == all.filter { $0 != "3" })
    #expect(try await sent[2].state == .failed(SendFailure(.refused, "The server rejects this.")))
    await client.close()
  }

  @Test(
    "Messages keep their order even if answers are lost repeatedly", .simulated(seeds: 1...2),
    arguments: [BackendError.Code.unreachable, .transient])
  func breaking(code: BackendError.Code) async throws {
    let (client, context, _) = try await Self.client { backend in
      backend.onPipeline = { [inner = backend.inner] messages, report in
        // Each connection brings three messages to the server, and two answers back.
        await inner.send(Array(messages.prefix(3))) { id, outcome in
          if id != messages[min(2, messages.count - 1)].id { await report(id, outcome) }
        }
        let broken = BackendError(code, "The connection broke.", outcomeIsUnknown: true)
        for message in messages.dropFirst(2).reversed() { await report(message.id, .failure(broken)) }
      }
    }
    client.start()
    for await status in client.sendStates where status.count == 0 { break }
    #expect(try await context.list { $0.count(.sent) == 100 }.texts == all)
    #expect(try Self.storedTexts() == all)
    await client.close()
  }

  @Test(
    "A message behind an already stored message does not overtake an earlier message that still waits",
    .simulated)
  func alreadyStored() async throws {
    let server = stage.server
    let network = stage.runtime(named: "network")
    let client = try await stage.client("alice", on: "phone") { backend in
      backend.inner.abilities.pipelining = true
      backend.beforeUpload = {
        while server.rooms().allSatisfy({ server.messages(in: $0).isEmpty }) {
          try await network.sleep(for: .milliseconds(1))
        }
      }
      // No push tells that the text is stored.
      backend.onRun = { _ in try await network.sleep(for: .seconds(1000)) }
      // The text overtakes the first picture, but the answer to the text is lost. The server is busy for
      // pictures until they are posted together with the text, and then once more for the first picture.
      let isTogether = Mutex(false)
      backend.onSend = { [inner = backend.inner] message in
        if message.kind == ImageContent.kind, !isTogether.withLock({ $0 }) {
          throw BackendError(.transient, "The server is busy.")
        }
        return try await inner.send(message)
      }
      backend.onPipeline = { [inner = backend.inner] messages, report in
        let isFirst = isTogether.withLock { isTogether in
          defer { isTogether = true }
          return !isTogether
        }
        if isFirst { server.fail(next: [.busy(retryAfter: nil)]) }
        await inner.send(messages, report: report)
      }
    }
    server.fail(next: [.responseLost])
    let context = client.context(for: try await client.open(.direct("bob")))
    for width in 1...2 {
      let file = stage.folder.appending(path: "picture-\(width).png")
      try Data(repeating: 7, count: 100 + width).write(to: file)
      _ = try await context.messenger.send(ImageContent(.file(file, type: "image/png"), width: width))
      if width == 1 { _ = try await context.messenger.send(TextContent("text")) }
    }
    client.start()
    try await context.list { $0.count(.sent) == 3 }
    let widths = try server.messages(in: #require(server.rooms().first)).map {
      try? JSONDecoder().decode(ImageContent.self, from: $0.payload).width
    }
    #expect(widths == [nil, 1, 2])
    await client.close()
  }

  @Test("A message whose outcome the backend does not report is posted again", .simulated)
  func unreported() async throws {
    let (client, context, sent) = try await Self.client { backend in
      backend.onPipeline = { [inner = backend.inner] messages, report in
        await inner.send(messages) { id, outcome in
          if id != messages.last?.id { await report(id, outcome) }
        }
      }
    }
    client.start()
    for message in sent { _ = try await message.result }
    for await status in client.sendStates where status.count == 0 { break }
    #expect(context.messages.texts == all)
    #expect(try Self.storedTexts() == all)
    await client.close()
  }

  @Test("A client that stops while messages are posted sends each message once", .simulated)
  func stopping() async throws {
    let (client, context, _) = try await Self.client()
    for sent in [10, 40, 70] {
      client.start()
      try await context.list { $0.count(.sent) >= sent }
      await client.stop()
    }
    client.start()
    let list = try await context.list { $0.count(.sent) == 100 }
    #expect(list.texts == all)
    #expect(try Self.storedTexts() == all)
    await client.close()
  }

  @Test(
    "A message that is cancelled while it is posted with others is sent or cancelled, as the server decides",
    .simulated)
  func cancelling() async throws {
    let (client, context, sent) = try await Self.client()
    stage.server.fail(next: [.none, .busy(retryAfter: nil)])
    client.start()
    for await state in sent[5].progress where state == .posting { break }
    let outcome = try await sent[5].cancel()
    try await context.list { $0.count(.sent) == ($0.count) && $0.count >= 99 }
    for await status in client.sendStates where status.count == 0 { break }
    let texts = try Self.storedTexts()
    #expect(texts == all || texts == all.filter { $0 != "6" }, "\(outcome)")
    #expect(context.messages.texts == texts)
    await client.close()
  }
}
