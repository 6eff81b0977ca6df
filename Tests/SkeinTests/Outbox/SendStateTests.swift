import Foundation
import Skein
import SkeinSimulation
import Synchronization
import Testing

@Suite("Send states")
struct SendStateTests {
  @Test(
    "The send state of a message shows its preparation, the message that blocks it, and that it is sent",
    .simulated)
  func wholeWay() async throws {
    let client = try await stage.client("alice", on: "phone") { backend in
      backend.beforeUpload = { try await stage.runtime(named: "network").sleep(for: .seconds(10)) }
    }
    let file = stage.folder.appending(path: "picture.png")
    try Data(repeating: 7, count: 100_000).write(to: file)
    let chat = try await client.open(.direct("bob"))
    let first = try await client.send(ImageContent(file: file), to: chat)
    let second = try await client.send(ImageContent(file: file), to: chat)
    #expect(try await first.state == .queued)
    var progress = [first.progress.makeAsyncIterator(), second.progress.makeAsyncIterator()]
    var states: [[SendState]] = [[], []]
    for index in progress.indices { states[index] += [await progress[index].next()].compactMap(\.self) }
    client.start()
    for await status in client.sendStates where status.isPreparing { break }
    for index in progress.indices {
      while let state = await progress[index].next() { states[index].append(state) }
    }
    #expect(states[0].first == .queued)
    #expect(states[0].last == .sent)
    #expect(states[0].contains(.preparing(fraction: 0)))
    #expect(states[1].contains(.blocked(by: first.id)))
    #expect(states[1].last == .sent)
    #expect(try await second.state == .sent)
    // If sync returned a message before its receipt, the outbox is notified a moment later.
    for await status in client.sendStates where status.count == 0 { break }
    #expect(!client.sendStatus.isPreparing)
    await client.close()
  }

  @Test(
    "The send state shows that a message waits for the connection, or else the reason and end of its wait",
    .simulated)
  func waiting() async throws {
    let client = try await stage.client("alice", on: "phone")
    client.start()
    let context = client.context(for: try await client.open(.direct("bob")))
    _ = try await context.messenger.send(TextContent("1")).result
    stage.server.fail(next: [.busy(retryAfter: .seconds(30))])
    let busy = try await context.messenger.send(TextContent("2"))
    for await state in busy.progress {
      guard case .waiting(let until, let reason) = state else { continue }
      let ahead = until.rawValue - stage.runtime(named: "stage").now().rawValue
      try #require(
        reason == FailureReason(.transient, "The server is busy.", retryAfter: .seconds(30)))
      try #require((1...30_000).contains(ahead))
      break
    }
    try await context.list { _ in
      if case .waiting = context.sendState(of: busy.id) { true } else { false }
    }
    _ = try await busy.result
    stage.server.setReachable(false)
    let offline = try await context.messenger.send(TextContent("3"))
    for await state in offline.progress {
      guard state == .waitingForConnection else { continue }
      // The state may be outdated by now, so the next check waits until the message waits again.
      for await status in client.sendStates {
        guard let next = status.nextTry else { continue }
        let ahead = next.rawValue - stage.runtime(named: "stage").now().rawValue
        try #require((0...60_000).contains(ahead))
        break
      }
      let waiting = try await client.waitingMessages().map(\.id)
      try #require(waiting == [offline.id])
      stage.server.setReachable(true)
    }
    let left = try await client.waitingMessages().count
    #expect(left == 0)
    #expect(client.sendStatus.nextTry == nil)
    #expect(try await offline.state == .sent)
    await client.close()
  }

  @Test("A delay that the server requests is kept when the connection is restored", .simulated)
  func patience() async throws {
    let attempts = Mutex<[Duration]>([])
    let time = stage.runtime(named: "stage")
    let client = try await stage.client("alice", on: "phone") { backend in
      backend.onSend = { [inner = backend.inner] message in
        let isFirst = attempts.withLock {
          $0.append(time.uptime())
          return $0.count == 1
        }
        guard isFirst else { return try await inner.send(message) }
        throw BackendError(.rateLimited, "Slowly.", retryAfter: .seconds(120))
      }
    }
    client.start()
    let sent = try await client.send(TextContent("1"), to: try await client.open(.direct("bob")))
    for await state in sent.progress {
      if case .waiting = state { break }
    }
    stage.server.setReachable(false)
    stage.server.setReachable(true)
    _ = try await sent.result
    let times = attempts.withLock { $0 }
    try #require(times.count == 2)
    #expect(times[1] - times[0] >= .seconds(120))
    await client.close()
  }

  @Test("Closing the client ends every loop over states", .simulated)
  func closing() async throws {
    let client = try await stage.client("alice", on: "phone")
    let sent = try await client.send(TextContent("1"), to: try await client.open(.direct("bob")))
    let loops = [
      stage.runtime(named: "listener").spawn { for await _ in sent.progress {} },
      stage.runtime(named: "listener").spawn { for await _ in client.sendStates {} },
    ]
    await client.close()
    for loop in loops { try await loop.value }
  }
}
