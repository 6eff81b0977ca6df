import SkeinServer
import SkeinWire
import Testing

struct ReplyTests {
  @Test("In sync and history, a reply quotes the current state of the original message")
  func quote() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann"), bo = try await server.user("bo")
      let id = try await ann.direct("bo").id
      try await ann.message("m1", "1", to: id).expect(201)
      try await bo.message("r1", "2", replyTo: Wire.MessageName(sender: "ann", id: "m1"), to: id).expect(201)
      let messages = try await ann.history(id).messages
      let first = try #require(messages.first)
      let quote = Wire.Quote(id: "m1", serverID: first.serverID, sender: "ann", kind: "text", content: "1")
      #expect(messages.map(\.quote) == [nil, quote])
      #expect(try await bo.sync().conversations.first?.messages == messages)

      let before = try await bo.sync().next
      try await ann.revise("m1", in: id, .edit(kind: "note", content: "[1]"), as: "e1").expect(200)
      let edited = Wire.Quote(
        id: "m1", serverID: first.serverID, sender: "ann", kind: "note", content: "[1]", revision: 1)
      #expect(try await bo.history(id).messages.last?.quote == edited)
      let reaction = Wire.Revision.reaction(key: "👍", isSet: true)
      let answer: Wire.Message = try await ann.revise("r1", of: "bo", in: id, reaction, as: "e2").expect(200)
        .decoded()
      #expect(answer.quote == edited)
      #expect(try await bo.sync(before).conversations.first?.revised?.last?.quote == edited)

      try await ann.revise("m1", in: id, .recall, as: "e3").expect(200)
      #expect(try await bo.history(id).messages.last?.quote?.kind == "recalled")
      try await bo.revise("r1", of: "bo", in: id, .recall, as: "e4").expect(200)
      #expect(try await bo.history(id).messages.map(\.quote) == [nil, nil])
    }
  }

  @Test("A reply to a message outside the conversation is refused, and a repeated reply is stored once")
  func posting() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann")
      let id = try await ann.group("g").id, other = try await ann.group("h").id
      try await ann.message("m1", "1", to: id).expect(201)
      let name = Wire.MessageName(sender: "ann", id: "m1")
      try await ann.message("r1", "2", replyTo: name, to: other).expect(404, .notFound)
      try await ann.message("r1", "2", replyTo: Wire.MessageName(sender: "bo", id: "m1"), to: id)
        .expect(404, .notFound)
      try await ann.message("r1", "2", replyTo: name, to: id).expect(201)
      try await ann.message("r1", "2", replyTo: name, to: id).expect(200)
      try await ann.message("r1", "2", to: id).expect(409, .idInUse)
      #expect(try await ann.history(id).messages.count == 2)
    }
  }

  @Test("The quote of a long message has no content")
  func long() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann")
      let id = try await ann.group("g").id
      let content = "\"\(String(repeating: "a", count: 2_000))\""
      try await ann.message("m1", content, to: id).expect(201)
      try await ann.message("r1", "2", replyTo: Wire.MessageName(sender: "ann", id: "m1"), to: id).expect(201)
      let quote = try #require(try await ann.history(id).messages.last?.quote)
      #expect(quote.id == "m1" && quote.kind == nil && quote.content == nil)
    }
  }

  @Test("Quotes count towards the size of a sync page")
  func size() async throws {
    try await TestServer.run({ $0.limits.page = 50_000 }) { server in
      let ann = try await server.user("ann")
      let id = try await ann.group("g").id
      try await ann.message("m", "\"" + String(repeating: "x", count: 1_998) + "\"", to: id).expect(201)
      for number in 1...100 {
        try await ann.message("\(number)", "1", replyTo: Wire.MessageName(sender: "ann", id: "m"), to: id)
          .expect(201)
      }
      let answer = try await ann.get("sync?limit=200")
      #expect(answer.status == 200 && answer.body.count < 100_000)
    }
  }
}
