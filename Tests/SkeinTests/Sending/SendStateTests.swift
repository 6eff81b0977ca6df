import Foundation
import Skein
import SkeinSimulation
import Testing

@Suite("How a message stands on its way")
struct SendStateTests {
  @Test("It says whom it waits for, that it is prepared and how far, that it is posted, and how it ended")
  func wholeWay() async {
    let failures = await SimulatedRun.play { stage in
      let client = try await stage.client("alice", on: "phone") { backend in
        backend.beforeUpload = { try await stage.runtime(named: "network").sleep(for: .seconds(10)) }
      }
      let file = stage.folder.appending(path: "picture.png")
      try Data(repeating: 7, count: 100_000).write(to: file)
      let chat = try await client.open(.direct("bob"))
      let first = try await client.send(ImageContent(file: file), to: chat)
      let second = try await client.send(ImageContent(file: file), to: chat)
      try expect(try await first.state == .queued, "not started")
      var progress = [first.progress.makeAsyncIterator(), second.progress.makeAsyncIterator()]
      var states: [[SendState]] = [[], []]
      for index in progress.indices { states[index] += [await progress[index].next()].compactMap(\.self) }
      client.start()
      for index in progress.indices {
        while let state = await progress[index].next() { states[index].append(state) }
      }
      try expect(states[0].first == .queued && states[0].last == .sent, "\(states[0])")
      try expect(states[0].contains(.preparing(fraction: 0)), "\(states[0])")
      try expect(states[1].contains(.behind(first.id)) && states[1].last == .sent, "\(states[1])")
      try expect(try await second.state == .sent && client.sendStatus.count == 0, "\(client.sendStatus)")
      await client.close()
    }
    #expect(failures == [])
  }

  @Test("It says when it waits for the connection, and when for its next attempt and why")
  func waiting() async {
    let failures = await SimulatedRun.play { stage in
      let client = try await stage.client("alice", on: "phone")
      client.start()
      let context = client.context(for: try await client.open(.direct("bob")))
      _ = try await context.messenger.send(TextContent("1")).result
      stage.server.fail(next: [.busy(retryAfter: .seconds(30))])
      let busy = try await context.messenger.send(TextContent("2"))
      for await state in busy.progress {
        guard case .waiting(let until, let reason) = state else { continue }
        let ahead = until.rawValue - stage.runtime(named: "stage").now().rawValue
        try expect(reason == "The server is busy." && (1...30_000).contains(ahead), "\(reason) \(ahead)")
        break
      }
      try await context.list { _ in
        if case .waiting = context.sendState(of: busy.id) { true } else { false }
      }
      _ = try await busy.result
      stage.server.setReachable(false)
      let offline = try await context.messenger.send(TextContent("3"))
      for await state in offline.progress {
        if state == .waitingForConnection { stage.server.setReachable(true) }
      }
      try expect(try await offline.state == .sent, "not sent")
      await client.close()
    }
    #expect(failures == [])
  }

  @Test("Closing the client ends every loop over states")
  func closing() async {
    let failures = await SimulatedRun.play { stage in
      let client = try await stage.client("alice", on: "phone")
      let sent = try await client.send(TextContent("1"), to: try await client.open(.direct("bob")))
      let loops = [
        stage.runtime(named: "listener").spawn { for await _ in sent.progress {} },
        stage.runtime(named: "listener").spawn { for await _ in client.sendStates {} },
      ]
      await client.close()
      for loop in loops { try await loop.value }
    }
    #expect(failures == [])
  }
}
