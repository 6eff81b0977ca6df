import Foundation
import SkeinServer
import SkeinStorage
import SkeinWire
import Testing

struct StarTests {
  @Test(
    "A star keeps the time at which it was first set, reaches the user's devices, and is removed by a recall")
  func star() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann"), bo = try await server.user("bo")
      let tablet = try await server.signIn("bo")
      let id = try await ann.direct("bo").id
      try await ann.messages(["m1", "m2", "m3"], to: id)
      let before = try await tablet.sync()
      server.clock.advance(by: 5000)
      let when = server.clock.now
      let starred: Wire.Message = try await bo.revise("m1", in: id, .flag("star", isSet: true), as: "1")
        .expect(200).decoded()
      #expect((starred.flags, starred.revision) == (["star": when], 1))
      // Starring again keeps the first time.
      server.clock.advance(by: 5000)
      let again: Wire.Message = try await bo.revise("m1", in: id, .flag("star", isSet: true), as: "2")
        .decoded()
      #expect((again.flags, again.revision) == (["star": when], 2))
      try await bo.revise("m2", in: id, .flag("star", isSet: true), as: "3").expect(200)

      let after = try await tablet.sync(before.next)
      #expect(after.conversations.flatMap { $0.revised ?? [] }.map(\.id) == ["m1", "m2"])
      #expect(try await tablet.sync(after.next).conversations.isEmpty)
      let first = try await bo.wholeSync(limit: 1)
      #expect(first.flatMap(\.conversations).flatMap { $0.revised ?? [] }.map(\.id) == ["m1", "m2"])

      try await bo.revise("m1", in: id, .flag("star", isSet: false), as: "4").expect(200)
      try await ann.revise("m2", in: id, .recall, as: "5").expect(200)
      try await bo.revise("m2", in: id, .flag("star", isSet: true), as: "6").expect(409, .recalled)
      let told = try await tablet.sync(after.next).conversations.flatMap { $0.revised ?? [] }
      #expect(told.map(\.id) == ["m1", "m2"])
      #expect(told.allSatisfy { $0.flags == nil })
      #expect(told.map(\.revision) == [3, 2])
      #expect(try await bo.wholeSync(limit: 1).flatMap(\.conversations).allSatisfy { $0.revised == nil })
    }
  }

  @Test("A star is invisible to others, and raises the message's revision only for the user who set the star")
  func isPrivate() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann"), bo = try await server.user("bo")
      let id = try await ann.direct("bo").id
      try await ann.messages(["m1"], to: id)
      let before = try await ann.sync()
      try await bo.revise("m1", in: id, .flag("star", isSet: true), as: "1").expect(200)
      #expect(try await ann.sync(before.next).conversations.isEmpty)
      let anns = try await ann.history(id).messages
      #expect(anns.map(\.flags) == [nil] && anns.map(\.revision) == [nil])
      // A reply quotes the message in the revision that its reader knows.
      try await ann.revise("m1", in: id, .edit(kind: "text", content: "2"), as: "2").expect(200)
      try await ann.message("m2", "3", replyTo: Wire.MessageName(sender: "ann", id: "m1"), to: id).expect(201)
      for (client, revision) in [(ann, 1), (bo, 2)] as [(TestClient, Int64)] {
        let messages = try await client.history(id).messages
        #expect(messages.first?.revision == revision && messages.last?.quote?.revision == revision)
      }
    }
  }

  @Test(
    "Many messages that were starred or changed are synced in several pages, in order and each message once")
  func pages() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann"), bo = try await server.user("bo")
      let id = try await ann.direct("bo").id
      let names = (1...260).map { Wire.MessageID(rawValue: "\($0)") }
      try await ann.messages(names.map(\.rawValue), to: id)
      let before = try await bo.sync()
      for (number, name) in names.enumerated() {
        if number % 2 == 0 {
          try await bo.revise(name, in: id, .flag("star", isSet: true), as: "1").expect(200)
        } else {
          try await ann.revise(name, in: id, .reaction(key: "👍", isSet: true), as: "1").expect(200)
        }
      }
      var cursor = before.next
      var revised: [Wire.MessageID] = []
      var pages = 0
      while true {
        let page = try await bo.sync(cursor)
        revised += page.conversations.flatMap { $0.revised ?? [] }.map(\.id)
        pages += 1
        guard page.hasMore else { break }
        cursor = page.next
      }
      #expect(pages == 2)
      #expect(revised == names)
    }
  }

  @Test("A message in a database of version 7 can be starred after the upgrade")
  func migration() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann")
      var bo = try await server.user("bo")
      let id = try await ann.direct("bo").id
      try await ann.messages(["m1"], to: id)
      await server.stop()
      let file = server.folder.appending(path: "server.sqlite")
      let database = try await Database.open(at: file, schema: Schema(version: 9, tables: []))
      try await database.write { rows in
        try rows.dropSettings()
        try rows.execute("DROP TABLE star")
        try rows.execute("PRAGMA user_version = 7")
      }
      await database.close()
      try await server.start()
      bo.port = await server.port
      try await bo.revise("m1", in: id, .flag("star", isSet: true), as: "1").expect(200)
      #expect(try await bo.history(id).messages.compactMap(\.flags?.keys.first) == ["star"])
    }
  }

  @Test("A conversation after one that was left between two pages of a sync is received whole")
  func leftBetweenPages() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann"), bo = try await server.user("bo")
      var ids: [Wire.ConversationID] = []
      for name in ["first", "second"] {
        ids.append(try await ann.group(name, ["bo"]).id)
      }
      let names = (1...260).map { Wire.MessageID(rawValue: "\($0)") }
      for id in ids { try await ann.messages(names.map(\.rawValue), to: id) }
      let before = try await bo.sync()
      for id in ids {
        for name in names {
          try await ann.revise(name, in: id, .reaction(key: "👍", isSet: true), as: "1").expect(200)
        }
        try await ann.messages(["a", "b", "c"], to: id)
      }
      let page = try await bo.sync(before.next)
      #expect(page.hasMore)
      let begun = try #require(page.conversations.last?.conversation.id)
      let other = try #require(ids.first { $0 != begun })
      try await bo.send("DELETE", "conversations/\(begun)/membership").expect(204)
      let rest = try await bo.sync(page.next)
      let change = try #require(rest.conversations.first { $0.conversation.id == other })
      #expect(change.count == 3 && change.messages.count == 3)
    }
  }
}
