import Foundation
import SkeinServer
import SkeinSockets
import SkeinStorage
import SkeinWire
import Testing

struct CountableTests {
  @Test("The counts of unread messages and unread mentions omit a message that does not count")
  func counts() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann"), bo = try await server.user("bo")
      let id = try await ann.group("g", ["bo"]).id
      let everyone = Wire.Mentions(everyone: true)
      try await ann.messages(["m1"], to: id)
      try await ann.message("m2", mentions: everyone, isCountable: false, to: id).expect(201)
      try await ann.message("m3", mentions: everyone, to: id).expect(201)
      try await ann.message("m4", isCountable: false, to: id).expect(201)

      // A page with fewer messages than its count leaves a gap, so the server counts the unread messages.
      let first = try await bo.sync(limit: 1)
      let change = try #require(first.conversations.first)
      #expect((change.count, change.unread, change.unreadMentions) == (4, 2, 1))
      try await bo.post("conversations/\(id)/read", Wire.ReadRequest(position: 1)).expect(200)
      let marked = try #require(try await bo.sync(first.next).conversations.first)
      #expect((marked.count, marked.unread, marked.unreadMentions) == (0, 1, 1))
      try await bo.post("conversations/\(id)/read", Wire.ReadRequest(position: 3)).expect(200)
      let end = try #require(try await bo.sync(limit: 1).conversations.first)
      #expect((end.unread, end.unreadMentions) == (0, 0))
    }
  }

  @Test("Sync, history and revisions say whether a message counts as unread")
  func returned() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann"), bo = try await server.user("bo")
      let id = try await ann.direct("bo").id
      try await ann.message("m1", mentions: Wire.Mentions(users: ["bo"]), isCountable: false, to: id).expect(
        201)
      try await ann.messages(["m2"], to: id)
      let messages = try await bo.history(id).messages
      #expect(messages.map(\.isCountable) == [false, nil])
      #expect(messages.map(\.mentions?.users) == [["bo"], nil])
      let sync = try await bo.sync()
      #expect(sync.conversations.first?.messages == messages)

      try await ann.revise("m1", in: id, .edit(kind: "note", content: "1"), as: "r1").expect(200)
      try await ann.revise("m1", in: id, .recall, as: "r2").expect(200)
      let revised = try #require(try await bo.sync(sync.next).conversations.first)
      #expect(revised.revised?.map(\.isCountable) == [false])
      #expect((revised.unread, revised.unreadMentions) == (1, 0))
    }
  }

  @Test("A message counts as unread unless its post says otherwise, and a repeated post does not change that")
  func posting() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann"), bo = try await server.user("bo")
      let id = try await ann.direct("bo").id
      let path = "conversations/\(id)/messages"
      for (name, field) in [("m1", ""), ("m2", ",\"isCountable\":true"), ("m3", ",\"isCountable\":false")] {
        let body = "{\"id\":\"\(name)\",\"kind\":\"text\",\"content\":\"1\"\(field)}"
        try await ann.send("POST", path, body: Array(body.utf8)).expect(201)
      }
      try await ann.message("m1", "1", isCountable: false, to: id).expect(200)
      try await ann.message("m3", "1", to: id).expect(200)
      #expect(try await bo.history(id).messages.map(\.isCountable) == [nil, nil, false])
      #expect(try await bo.sync(limit: 0).conversations.first?.unread == 2)
      try await ann.post(path, ["id": "m4", "kind": "text", "content": "1", "isCountable": "no"])
        .expect(400, .badJSON)
    }
  }

  @Test("A message sent over the socket can say that it does not count as unread")
  func socket() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann"), bo = try await server.user("bo")
      let id = try await ann.direct("bo").id
      let socket = try await ann.greeted()
      let request = Wire.MessageRequest(id: "m1", kind: "text", content: "1", isCountable: false)
      let frame = try Wire.encode(Wire.SendFrame(request, to: id))
      try await socket.send(WebSocketMessage(text: String(decoding: frame, as: UTF8.self)))
      var type: Wire.SocketFrame.Kind?
      while type != .ack { type = try #require(try await socket.frame()).type }
      await socket.close()
      #expect(try await bo.history(id).messages.map(\.isCountable) == [false])
      #expect(try await bo.sync(limit: 0).conversations.first?.unread == 0)
    }
  }

  @Test("After the migration of a database of version 6, every message counts as unread")
  func migration() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann")
      var bo = try await server.user("bo")
      let id = try await ann.direct("bo").id
      try await ann.messages(["m1", "m2"], to: id)
      await server.stop()
      let file = server.folder.appending(path: "server.sqlite")
      let database = try await Database.open(at: file, schema: Schema(version: 9, tables: []))
      try await database.write { rows in
        try rows.execute("ALTER TABLE message DROP COLUMN is_countable")
        try rows.dropSettings()
        try rows.execute("DROP TABLE star")
        try rows.execute("PRAGMA user_version = 6")
      }
      await database.close()
      try await server.start()
      bo.port = await server.port
      #expect(try await bo.sync(limit: 1).conversations.first?.unread == 2)
      #expect(try await bo.history(id).messages.map(\.isCountable) == [nil, nil])
    }
  }
}
