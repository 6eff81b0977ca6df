import SkeinServer
import SkeinWire
import Testing

struct RevisionTests {
  @Test(
    "An edit replaces content and kind, has a time, and is in the next sync of the other members")
  func edit() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann"), bo = try await server.user("bo")
      let id = try await ann.direct("bo").id
      try await ann.messages(["m1", "m2"], to: id)
      let before = try await bo.sync()
      server.clock.advance(by: 5000)
      let edited: Wire.Message = try await ann.revise(
        "m1", in: id, .edit(kind: "note", content: "[1]"), as: "r1"
      )
      .expect(200).decoded()
      #expect((edited.kind, edited.content, edited.id) == ("note", "[1]", "m1"))
      #expect((edited.revision, edited.edited) == (1, server.clock.now))

      let after = try await bo.sync(before.next)
      #expect(after.conversations.map(\.count) == [0])
      #expect(after.conversations.first?.revised == [edited])
      #expect(try await bo.sync(after.next).conversations.isEmpty)
      #expect(try await bo.history(id).messages.first == edited)
      // A first sync has the current state of the message.
      let fresh = try await bo.sync()
      #expect(fresh.conversations.first?.messages.first == edited)
      #expect(fresh.conversations.first?.revised == nil)
    }
  }

  @Test(
    "An edit is refused if content and parameters exceed the limit, or if it marks the message as recalled")
  func limits() async throws {
    try await TestServer.run({ $0.limits.content = 100 }) { server in
      let ann = try await server.user("ann")
      let id = try await ann.group("g").id
      try await ann.message("m1", parameters: ["a": String(repeating: "x", count: 80)], to: id).expect(201)
      let long = "\"" + String(repeating: "y", count: 60) + "\""
      try await ann.revise("m1", in: id, .edit(kind: "text", content: long), as: "r1").expect(413, .tooLarge)
      try await ann.revise("m1", in: id, .edit(kind: "recalled", content: "{}"), as: "r2")
        .expect(400, .badRequest)
      try await ann.revise("m1", in: id, .edit(kind: "text", content: "1"), as: "r3").expect(200)
      #expect(try await ann.history(id).messages.map(\.content) == ["1"])
    }
  }

  @Test("A repeated revision is applied once, even after later revisions")
  func idempotent() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann"), tablet = try await server.signIn("ann")
      let id = try await ann.group("g").id
      try await ann.messages(["m1"], to: id)
      let one = Wire.Revision.edit(kind: "text", content: "1"),
        two = Wire.Revision.edit(kind: "text", content: "2")
      try await ann.revise("m1", in: id, one, as: "r1").expect(200)
      try await tablet.revise("m1", in: id, two, as: "r2").expect(200)
      let again: Wire.Message = try await ann.revise("m1", in: id, one, as: "r1").expect(200).decoded()
      #expect((again.content, again.revision) == ("2", 2))
    }
  }

  @Test(
    "Only the sender can edit or recall a message, and users outside the conversation do not find the message"
  )
  func rights() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann"), bo = try await server.user("bo")
      let cy = try await server.user("cy")
      let id = try await ann.direct("bo").id
      try await ann.messages(["m1"], to: id)
      for revision in [Wire.Revision.edit(kind: "text", content: "1"), .recall] {
        try await bo.revise("m1", in: id, revision, as: "r1").expect(403, .notSender)
        try await cy.revise("m1", in: id, revision, as: "r1").expect(404, .notFound)
      }
      try await cy.revise("m1", in: id, .reaction(key: "👍", isSet: true), as: "r2").expect(404, .notFound)
      for (message, sender) in [("m2", "ann"), ("m1", "bo"), ("", ""), ("m1", "")]
        as [(Wire.MessageID, Wire.UserID)]
      {
        try await ann.revise(message, of: sender, in: id, .recall, as: "r3").expect(404, .notFound)
      }
      #expect(try await ann.history(id).messages.map(\.revision) == [nil])
    }
  }

  @Test("A recall leaves only the name of the user who recalled the message, and can't be undone")
  func recall() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann"), bo = try await server.user("bo")
      let id = try await ann.direct("bo").id
      try await ann.message("m1", "\"secret\"", parameters: ["a": "secret"], to: id).expect(201)
      try await bo.revise("m1", in: id, .reaction(key: "👍", isSet: true), as: "r1").expect(200)
      let recalled: Wire.Message = try await ann.revise("m1", in: id, .recall, as: "r2").expect(200).decoded()
      #expect((recalled.kind, recalled.content) == ("recalled", "{\"by\":\"ann\"}"))
      #expect(recalled.parameters == nil && recalled.reactions == nil && recalled.revision == 2)
      try await ann.revise("m1", in: id, .edit(kind: "text", content: "1"), as: "r3").expect(409, .recalled)
      try await bo.revise("m1", in: id, .reaction(key: "👍", isSet: true), as: "r4").expect(409, .recalled)
      try await ann.revise("m1", in: id, .recall, as: "r2").expect(200)
      #expect(try await bo.history(id).messages == [recalled])
    }
  }

  @Test("Reactions are grouped by key, and keys and users keep the order in which they were added")
  func reactions() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann"), bo = try await server.user("bo")
      let id = try await ann.direct("bo").id
      try await ann.messages(["m1"], to: id)
      func react(_ client: TestClient, _ key: String, _ isSet: Bool, _ name: String) async throws -> [Wire
        .Reaction]
      {
        let message: Wire.Message = try await client.revise(
          "m1", in: id, .reaction(key: key, isSet: isSet), as: name
        )
        .expect(200).decoded()
        return message.reactions ?? []
      }
      #expect(try await react(bo, "👍", true, "1") == [Wire.Reaction(key: "👍", users: ["bo"])])
      #expect(try await react(ann, "👍", true, "2") == [Wire.Reaction(key: "👍", users: ["bo", "ann"])])
      let both = [Wire.Reaction(key: "👍", users: ["bo", "ann"]), Wire.Reaction(key: "é", users: ["ann"])]
      #expect(try await react(ann, "é", true, "3") == both)
      #expect(try await react(bo, "👍", false, "4").map(\.users) == [["ann"], ["ann"]])
      #expect(try await react(ann, "👍", false, "5").map(\.key) == ["é"])
      #expect(try await react(ann, "never", false, "6").map(\.key) == ["é"])
      #expect(try await react(ann, "é", false, "7") == [])
    }
  }

  @Test("A pin keeps its first time; a first sync includes old pinned messages, and a recall removes the pin")
  func pins() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann"), bo = try await server.user("bo")
      let id = try await ann.direct("bo").id
      try await ann.messages(["m1", "m2", "m3"], to: id)
      try await ann.revise("m1", in: id, .reaction(key: "👍", isSet: true), as: "0").expect(200)
      server.clock.advance(by: 5000)
      let when = server.clock.now
      for (client, message) in [(bo, "m1"), (ann, "m2")] as [(TestClient, Wire.MessageID)] {
        let pinned: Wire.Message = try await client.revise(
          message, in: id, .flag("pin", isSet: true), as: "1"
        ).expect(200).decoded()
        #expect(pinned.flags == ["pin": when])
      }
      // Pinning again keeps the first time.
      server.clock.advance(by: 5000)
      let again: Wire.Message = try await ann.revise(
        "m1", in: id, .flag("pin", isSet: true), as: "2"
      ).decoded()
      #expect(again.flags == ["pin": when])

      let first = try await bo.wholeSync(limit: 1)
      #expect(first.flatMap(\.conversations).flatMap(\.messages).map(\.id) == ["m3"])
      #expect(Set(first.flatMap(\.conversations).flatMap { $0.revised ?? [] }.map(\.id)) == ["m1", "m2"])
      try await bo.revise("m1", in: id, .flag("pin", isSet: false), as: "3").expect(200)
      try await ann.revise("m2", in: id, .recall, as: "4").expect(200)
      try await ann.revise("m2", in: id, .flag("pin", isSet: true), as: "5").expect(409, .recalled)
      let told = try await bo.sync(first.last?.next).conversations.flatMap { $0.revised ?? [] }
      #expect(told.map(\.id) == ["m1", "m2"])
      #expect(told.allSatisfy { $0.flags == nil })
      #expect(try await bo.wholeSync(limit: 1).flatMap(\.conversations).allSatisfy { $0.revised == nil })
    }
  }

  @Test("At most 100 messages of a conversation can be pinned, and a pinned message can be pinned again")
  func pinLimit() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann")
      let id = try await ann.group("g").id
      for number in 1...101 { try await ann.messages(["\(number)"], to: id) }
      for number in 1...100 {
        let message = Wire.MessageID(rawValue: "\(number)")
        try await ann.revise(message, in: id, .flag("pin", isSet: true), as: "a\(number)").expect(200)
      }
      try await ann.revise("101", in: id, .flag("pin", isSet: true), as: "b").expect(400, .badRequest)
      try await ann.revise("100", in: id, .flag("pin", isSet: true), as: "b").expect(200)
      try await ann.revise("1", in: id, .flag("pin", isSet: false), as: "c").expect(200)
      try await ann.revise("101", in: id, .flag("pin", isSet: true), as: "b").expect(200)
    }
  }

  @Test("An invalid revision is refused and changes nothing")
  func refused() async throws {
    try await TestServer.run({ $0.limits.content = 100 }) { server in
      let ann = try await server.user("ann")
      let id = try await ann.group("g").id
      try await ann.messages(["m1"], to: id)
      let long = String(repeating: "x", count: 129)
      try await ann.revise("m1", in: id, .recall, as: "").expect(400, .badRequest)
      try await ann.revise("m1", in: id, .recall, as: long).expect(400, .badRequest)
      try await ann.revise("m1", in: id, .edit(kind: "", content: "{}"), as: "r").expect(400, .badRequest)
      try await ann.revise("m1", in: id, .edit(kind: "text", content: "{"), as: "r").expect(400, .badJSON)
      try await ann.revise("m1", in: id, .edit(kind: "text", content: "\"\(long)\""), as: "r").expect(
        413, .tooLarge)
      for key in ["", long] {
        try await ann.revise("m1", in: id, .reaction(key: key, isSet: true), as: "r").expect(400, .badRequest)
      }
      let path = "conversations/\(id)/revisions"
      try await ann.post(path, ["id": "r", "message": "m1", "sender": "ann", "type": "dance"]).expect(
        400, .badJSON)
      try await ann.post(path, ["id": "r", "message": "m1", "sender": "ann", "type": "edit"]).expect(
        400, .badJSON)
      for number in 1...20 {
        try await ann.revise("m1", in: id, .reaction(key: "\(number)", isSet: true), as: "\(number)").expect(
          200)
      }
      try await ann.revise("m1", in: id, .reaction(key: "21", isSet: true), as: "21").expect(400, .badRequest)
      #expect(try await ann.history(id).messages.map(\.revision) == [20])
    }
  }

  @Test("A sync with many revised messages has several pages; each revised and each new message comes once")
  func pages() async throws {
    try await TestServer.run({ $0.limits.page = 2000 }) { server in
      let ann = try await server.user("ann"), bo = try await server.user("bo")
      let id = try await ann.direct("bo").id
      let content = "\"\(String(repeating: "x", count: 300))\""
      for number in 1...30 { try await ann.message("\(number)", content, to: id).expect(201) }
      let pages = try await bo.wholeSync()
      let cursor = try #require(pages.last?.next)
      for position in 1...30 as ClosedRange<Int64> {
        let message = Wire.MessageID(rawValue: "\(31 - position)")
        try await ann.revise(message, in: id, .reaction(key: "👍", isSet: true), as: "\(position)")
          .expect(200)
      }
      try await ann.messages(["31"], to: id)
      let after = try await bo.wholeSync(cursor)
      let changes = after.flatMap(\.conversations)
      #expect(changes.flatMap { $0.revised ?? [] }.map(\.position) == Array((1...30).reversed()))
      #expect(changes.flatMap(\.messages).map(\.position) == [31])
      #expect(changes.map(\.count).reduce(0, +) == 1)
      #expect(after.count > 2)
    }
  }
}
