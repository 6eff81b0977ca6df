import SkeinServer
import SkeinWire
import Testing

struct HistoryTests {
  /// Runs `body` with a group of twenty messages, posted one each second.
  private func withTwenty(_ body: (TestServer, TestClient, Wire.ConversationID, Int64) async throws -> Void)
    async throws
  {
    try await TestServer.run { server in
      let ann = try await server.user("ann")
      let id = try await ann.group("g").id
      let start = server.clock.now
      for number in 1...20 {
        server.clock.advance(by: 1000)
        try await ann.messages(["\(number)"], to: id)
      }
      try await body(server, ann, id, start)
    }
  }

  @Test("Each anchor returns the right page, and the page states which ends of the history it reaches")
  func anchors() async throws {
    try await withTwenty { _, ann, id, start in
      let expected: [(String, ClosedRange<Int64>, Bool, Bool)] = [
        ("", 1...20, true, true), ("limit=5", 16...20, false, true), ("before=6&limit=5", 1...5, true, false),
        ("before=7&limit=5", 2...6, false, false), ("after=15&limit=5", 16...20, false, true),
        ("after=14&limit=5", 15...19, false, false), ("after=0&limit=20", 1...20, true, true),
        ("around=10&limit=4", 8...11, false, false), ("around=1&limit=4", 1...4, true, false),
        ("around=20&limit=4", 17...20, false, true), ("around=10&limit=1", 10...10, false, false),
        ("time=\(start + 10_000)&limit=1", 10...10, false, false),
        ("time=\(start + 9_001)&limit=1", 10...10, false, false), ("time=0&limit=2", 1...2, true, false),
        ("time=\(start + 20_001)&limit=2", 19...20, false, true),
        ("before=\(Int64.max)&limit=2", 19...20, false, true),
        ("after=\(Int64.min)&limit=2", 1...2, true, false),
        ("around=\(Int64.max)&limit=2", 19...20, false, true),
        ("time=\(Int64.max)&limit=2", 19...20, false, true),
        ("time=\(Int64.min)&limit=2", 1...2, true, false),
      ]
      for (query, positions, start, end) in expected {
        let page = try await ann.history(id, query)
        #expect(page.messages.map(\.position) == Array(positions), "\(query)")
        #expect(page.reachesStart == start, "\(query)")
        #expect(page.reachesEnd == end, "\(query)")
      }
      for query in ["before=1", "before=-5", "after=20", "after=\(Int64.max)"] {
        #expect(try await ann.history(id, query).messages.isEmpty, "\(query)")
      }
      #expect(try await ann.history(id, "before=1").reachesStart)
      #expect(try await ann.history(id, "after=20").reachesEnd)
    }
  }

  @Test(
    "A message's server id gives the page around that message; an id outside the conversation is not found")
  func message() async throws {
    try await withTwenty { _, ann, id, _ in
      let all = try await ann.history(id).messages
      for message in [all[0], all[9], all[19]] {
        let page = try await ann.history(id, "message=\(message.serverID)&limit=4")
        #expect(page == (try await ann.history(id, "around=\(message.position)&limit=4")))
      }
      let other = try await ann.group("other").id
      for name in [
        "x", "", "\(id).0", "\(id).21", "\(id).", "\(id).x", "\(other).1", "\(id).9999999999999999999",
      ] {
        try await ann.get("conversations/\(id)/messages?message=\(name)").expect(404, .notFound)
      }
      try await ann.get("conversations/\(id)/messages?message=\(all[0].serverID)&before=3")
        .expect(400, .badRequest)
      try await ann.get("conversations/\(other)/messages?message=\(other).1").expect(404, .notFound)
    }
  }

  @Test("A page of an empty conversation reaches both ends of the history")
  func empty() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann")
      let id = try await ann.group("g").id
      for query in [
        "", "before=1", "after=0", "around=5", "time=5", "before=\(Int64.max)", "after=\(Int64.max)",
      ] {
        let page = try await ann.history(id, query)
        #expect(page.messages.isEmpty && page.reachesStart && page.reachesEnd, "\(query)")
      }
    }
  }

  @Test("An invalid limit or anchor is refused")
  func malformed() async throws {
    try await withTwenty { _, ann, id, _ in
      let queries = [
        "limit=0", "limit=-1", "limit=201", "limit=99999999999999999999", "limit=x", "limit=", "before=x",
        "after=1.5",
        "before=1&after=2", "around=1&time=1", "before=9223372036854775808",
      ]
      for query in queries {
        try await ann.get("conversations/\(id)/messages?\(query)").expect(400, .badRequest)
      }
      #expect(try await ann.history(id, "limit=200&unknown=1").messages.count == 20)
    }
  }

  @Test("A page of large messages is shortened at the ends far from its anchor, without skipping a message")
  func budget() async throws {
    try await TestServer.run({ $0.limits.page = 17_000 }) { server in
      let ann = try await server.user("ann")
      let id = try await ann.group("g").id
      for number in 1...10 {
        let content = "\"" + String(repeating: "x", count: 4_998) + "\""
        try await ann.message("\(number)", content, to: id).expect(201)
      }
      let newest = try await ann.history(id)
      #expect(newest.messages.map(\.position) == [8, 9, 10])
      #expect(!newest.reachesStart && newest.reachesEnd)
      let after = try await ann.history(id, "after=0")
      #expect(after.messages.map(\.position) == [1, 2, 3])
      #expect(after.reachesStart && !after.reachesEnd)
      #expect(try await ann.history(id, "around=5").messages.map(\.position) == [4, 5, 6])
      let sync = try await ann.sync()
      #expect(sync.conversations.first?.count == 10)
      #expect(sync.conversations.first?.messages.map(\.position) == [8, 9, 10])
    }
  }

  @Test("A clock that goes back does not affect positions")
  func clock() async throws {
    try await withTwenty { server, ann, id, start in
      server.clock.advance(by: -1_000_000)
      try await ann.messages(["21"], to: id)
      #expect(try await ann.history(id, "limit=2").messages.map(\.position) == [20, 21])
      #expect(try await ann.history(id, "time=\(start + 20_000)&limit=1").messages.map(\.position) == [20])
    }
  }
}
