import SkeinServer
import SkeinWire
import Testing

struct SyncTests {
  @Test("A sync returns the changes since its cursor with their counts, and the next sync returns none")
  func counts() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann"), bo = try await server.user("bo")
      let empty = try await bo.sync()
      #expect(empty.from == nil)
      #expect(empty.conversations.isEmpty && !empty.hasMore)
      #expect(empty.serverTime == server.clock.now)

      let id = try await ann.direct("bo").id
      try await ann.messages((1...5).map(String.init), to: id)
      let first = try await bo.sync(empty.next, limit: 2)
      #expect(first.from == empty.next)
      #expect(first.conversations.map(\.count) == [5])
      #expect(first.conversations.first?.messages.map(\.position) == [4, 5])
      #expect(first.conversations.first?.conversation.head == 5)
      #expect(try await bo.sync(empty.next, limit: 2).conversations == first.conversations)

      let quiet = try await bo.sync(first.next)
      #expect(quiet.conversations.isEmpty)
      try await ann.messages(["6"], to: id)
      let second = try await bo.sync(quiet.next, limit: 0)
      #expect(second.conversations.map(\.count) == [1])
      #expect(second.conversations.first?.messages == [])
      #expect(second.epoch == empty.epoch)
    }
  }

  @Test("A sync states the number of unread messages of others if it omits messages or has a new read mark")
  func unread() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann"), bo = try await server.user("bo")
      let id = try await ann.direct("bo").id
      try await ann.messages((1...6).map(String.init), to: id)
      try await bo.messages(["7", "8"], to: id)
      try await ann.messages(["9"], to: id)
      #expect(try await bo.sync(limit: 3).conversations.first?.unread == 7)
      try await bo.post("conversations/\(id)/read", Wire.ReadRequest(position: 4)).expect(200)
      #expect(try await bo.sync(limit: 3).conversations.first?.unread == 3)
      let all = try await bo.sync(limit: 9)
      #expect(all.conversations.first?.unread == nil)
      try await bo.post("conversations/\(id)/read", Wire.ReadRequest(position: 5)).expect(200)
      #expect(try await bo.sync(all.next).conversations.first?.unread == 2)
    }
  }

  @Test("A read mark is in the next sync of its user, and as a receipt in the next sync of the other members")
  func readMarks() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann"), bo = try await server.user("bo")
      let id = try await ann.direct("bo").id
      try await ann.messages(["1", "2"], to: id)
      let annCursor = try await ann.sync().next, boCursor = try await bo.sync().next
      try await bo.post("conversations/\(id)/read", Wire.ReadRequest(position: 2)).expect(200)
      let change = try #require(try await bo.sync(boCursor).conversations.first)
      #expect(change.count == 0 && change.messages.isEmpty)
      #expect(change.conversation.readPosition == 2)
      let others = try #require(try await ann.sync(annCursor).conversations.first)
      #expect(others.count == 0 && others.unread == nil && others.conversation.readPosition == 0)
      #expect(others.conversation.receipts == [Wire.Receipt(user: "bo", delivered: 2, read: 2)])
    }
  }

  @Test("Paging over many conversations returns each message once, despite new messages between pages")
  func paging() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann"), bo = try await server.user("bo")
      var ids: [Wire.ConversationID] = []
      for number in 0..<230 {
        let id = try await ann.group("g\(number)", ["bo"]).id
        try await ann.messages(["a", "b"], to: id)
        ids.append(id)
      }
      var seen: [String] = []
      func take(_ page: Wire.SyncPage) {
        for change in page.conversations {
          #expect(Int64(change.messages.count) == change.count)
          #expect(
            change.messages.last.map(\.position) ?? change.conversation.head == change.conversation.head)
          seen += change.messages.map(\.serverID.rawValue)
        }
      }
      var page = try await bo.sync()
      var sizes = [page.conversations.count]
      var conversations = page.conversations.map(\.conversation.id)
      take(page)
      while page.hasMore {
        // New messages in conversations already returned and not returned yet, and in a new conversation.
        for id in [ids[0], ids[100], ids[229]] { try await ann.messages(["late\(sizes.count)"], to: id) }
        let new = try await ann.group("new\(sizes.count)", ["bo"]).id
        try await ann.messages(["a"], to: new)
        page = try await bo.sync(page.next)
        sizes.append(page.conversations.count)
        conversations += page.conversations.map(\.conversation.id)
        take(page)
      }
      #expect(sizes.max() == 100 && sizes.reduce(0, +) == 230)
      #expect(Set(conversations).count == 230)
      #expect(seen.count == 460)
      for page in try await bo.wholeSync(page.next) { take(page) }
      #expect(seen.count == 460 + 4 * (sizes.count - 1))
      #expect(Set(seen).count == seen.count)
    }
  }

  @Test("Syncs that run while fifty tasks send messages return each message exactly once")
  func concurrent() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann"), bo = try await server.user("bo")
      var ids: [Wire.ConversationID] = []
      for number in 0..<10 { ids.append(try await ann.group("g\(number)", ["bo"]).id) }
      let seen = try await withThrowingTaskGroup(of: Void.self) { [ids] group in
        for sender in 0..<50 {
          group.addTask {
            for number in 0..<6 {
              try await ann.message("\(sender)-\(number)", to: ids[(sender + number) % ids.count]).expect(201)
            }
          }
        }
        var seen: [Wire.Message] = []
        var cursor: Wire.Cursor?
        while seen.count < 300 {
          let page = try await bo.sync(cursor, limit: 200)
          seen += page.conversations.flatMap(\.messages)
          cursor = page.next
        }
        try await group.waitForAll()
        #expect(try await bo.sync(cursor).conversations.isEmpty)
        return seen
      }
      #expect(Set(seen.map(\.serverID)).count == 300)
      for id in ids {
        let positions = seen.filter { $0.conversation == id }.map(\.position)
        #expect(positions == Array(1...Int64(positions.count)))
      }
    }
  }

  @Test("A malformed or foreign cursor is refused")
  func foreign() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann"), bo = try await server.user("bo")
      let id = try await ann.direct("bo").id
      try await ann.messages(["1"], to: id)
      let cursor = try await ann.sync().next
      for text in [cursor.rawValue, "", "x", "0", "1.2.3-0000000000000000", cursor.rawValue + "0"] {
        try await bo.get("sync?cursor=\(text)").expect(400, .badCursor)
      }
      for limit in ["-1", "201", "x", "99999999999999999999"] {
        try await bo.get("sync?limit=\(limit)").expect(400, .badRequest)
      }
    }
  }
}
