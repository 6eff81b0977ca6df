import Foundation
import Skein
import SkeinHTTP
import Testing

@Suite("A server that stops and restarts", .timeLimit(.minutes(3)))
struct RestartTests {
  @Test("A restart of the server while messages are being sent neither loses nor duplicates a message")
  func restarts() async throws {
    try await TestWorld.run { world in
      var options = ChatOptions()
      options.pageSize = 500
      let session = try await world.user("alice")
      let alice = try await world.client(session, options)
      let bob = try await world.client(try await world.user("bob"), options)
      let there = alice.context(for: try await alice.open(.direct("bob")))
      _ = try await there.messenger.send(TextContent("first")).result
      let here = bob.context(for: try await bob.conversation { $0.lastMessage?.text == "first" }.id)

      let rounds = 3, perRound = 20
      var sent: [SentMessage] = []
      for round in 0..<rounds {
        async let fromAlice = send(round, perRound, through: there.messenger)
        async let fromBob = send(round, perRound, through: here.messenger)
        await world.stopServer()
        try await world.startServer()
        sent += try await fromAlice + fromBob
      }
      for message in sent { #expect(try await message.result.status == .sent) }

      let expected = 1 + 2 * rounds * perRound
      let one = try await there.messages { $0.count == expected && $0.allSatisfy { $0.status == .sent } }
      let other = try await here.messages { $0.count == expected && $0.allSatisfy { $0.status == .sent } }
      #expect(one.map(\.messageID) == other.map(\.messageID))
      #expect(Set(one.map(\.messageID)).count == expected)
      for sender in [UserID("alice"), "bob"] {
        let numbers = one.filter { $0.sender == sender }.compactMap { $0.text.flatMap(Int.init) }
        #expect(numbers == Array(0..<rounds * perRound))
      }

      let backend = HTTPBackend(session, options: .patient)
      let info = try await backend.open(.direct("bob"))
      let stored = try await backend.history(of: info.ref, at: .newest, limit: 200)
      #expect(stored.messages.compactMap(\.messageID) == one.map(\.messageID))
      #expect(stored.messages.compactMap(\.position?.rawValue) == (1...Int64(expected)).map { $0 })
    }
  }

  @Test(
    "When the server's backup is restored, clients keep a lost message, and its sender can send it again"
  )
  func restored() async throws {
    try await TestWorld.run { world in
      let alice = try await world.client(try await world.user("alice"))
      let bob = try await world.client(try await world.user("bob"))
      let there = alice.context(for: try await alice.open(.direct("bob")))
      for text in ["1", "2"] { _ = try await there.messenger.send(TextContent(text)).result }
      let here = bob.context(for: try await bob.conversation { $0.lastMessage?.text == "2" }.id)
      try await world.backUpServer()
      _ = try await there.messenger.send(TextContent("lost")).result
      try await here.messages { $0.map(\.text) == ["1", "2", "lost"] }

      try await world.restoreServer()
      _ = try await here.messenger.send(TextContent("3")).result
      try await here.items { $0.map { $0.message?.text ?? "…" } == ["lost", "…", "1", "2", "3"] }
      try await there.items { $0.map { $0.message?.text ?? "…" } == ["lost", "…", "1", "2", "3"] }
      let lost = try #require(try await alice.failedMessages().first)
      #expect(lost.text == "lost" && lost.failure?.code == .lost)
      try await there.messenger.retry(lost.id)
      for context in [here, there] {
        try await context.items { $0.map { $0.message?.text ?? "…" } == ["1", "2", "3", "lost"] }
      }
    }
  }

  @Test("When the server's backup is restored, messages stay read although the server lost the read mark")
  func restoredReadMark() async throws {
    try await TestWorld.run { world in
      let alice = try await world.client(try await world.user("alice"))
      let session = try await world.user("bob")
      let bob = try await world.client(session)
      let there = alice.context(for: try await alice.open(.direct("bob")))
      for text in ["1", "2"] { _ = try await there.messenger.send(TextContent(text)).result }
      let here = bob.context(for: try await bob.conversation { $0.unreadCount == 2 }.id)
      try await here.messages { $0.map(\.text) == ["1", "2"] }
      try await world.backUpServer()
      try await here.markRead()
      let backend = HTTPBackend(session, options: .patient)
      try await Self.reached(2, backend)

      try await world.restoreServer()
      _ = try await there.messenger.send(TextContent("3")).result
      try await here.messages { $0.map(\.text) == ["1", "2", "3"] }
      #expect(try await bob.conversation { $0.lastMessage?.text == "3" }.unreadCount == 1)
      try await Self.reached(2, backend)
    }
  }

  /// Returns when the server has this read mark for bob.
  private static func reached(_ mark: Int64, _ bob: HTTPBackend) async throws {
    while try await bob.open(.direct("alice")).readMark?.position != Position(rawValue: mark) {
      await Task.yield()
    }
  }

  private func send(_ round: Int, _ count: Int, through messenger: ChatMessenger) async throws
    -> [SentMessage]
  {
    var sent: [SentMessage] = []
    for number in 0..<count {
      sent.append(try await messenger.send(TextContent(String(round * count + number))))
    }
    return sent
  }
}
