import SkeinServer
import SkeinWire
import Testing

struct ConversationTests {
  @Test("A pair of users has one direct conversation")
  func direct() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann"), bo = try await server.user("bo")
      let request = Wire.ConversationRequest.direct(peer: "bo")
      let made: Wire.Conversation = try await ann.post("conversations", request).expect(201).decoded()
      #expect(made.kind == .direct)
      #expect(made.peer == "bo")
      #expect(made.members == ["ann", "bo"])
      #expect(made.head == 0)
      #expect(try await ann.post("conversations", request).expect(200).decoded() == made)
      let seen = try await bo.direct("ann")
      #expect(seen.id == made.id)
      #expect(seen.peer == "ann")
      #expect(try await bo.get("conversations/\(made.id)").decoded() == seen)

      try await ann.post("conversations", Wire.ConversationRequest.direct(peer: "ann")).expect(
        400, .badRequest)
      try await ann.post("conversations", Wire.ConversationRequest.direct(peer: "zoe")).expect(
        404, .unknownUser)
    }
  }

  @Test("Fifty concurrent requests to open a direct conversation return the same conversation")
  func directRace() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann"), bo = try await server.user("bo")
      let ids = try await withThrowingTaskGroup(of: Wire.ConversationID.self) { group in
        for number in 0..<50 {
          group.addTask { try await number.isMultiple(of: 2) ? ann.direct("bo").id : bo.direct("ann").id }
        }
        return try await group.reduce(into: Set<Wire.ConversationID>()) { $0.insert($1) }
      }
      #expect(ids.count == 1)
    }
  }

  @Test("A group opened twice is one group; another title or another list of members is a conflict")
  func group() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann"), bo = try await server.user("bo")
      let request = Wire.ConversationRequest.group(id: "g1", title: "Climbing", members: ["bo", "ann", "bo"])
      let made: Wire.Conversation = try await ann.post("conversations", request).expect(201).decoded()
      #expect(made.kind == .group)
      #expect(made.title == "Climbing")
      #expect(made.peer == nil)
      #expect(made.members == ["ann", "bo"])
      #expect(try await ann.post("conversations", request).expect(200).decoded() == made)

      let others: [Wire.ConversationRequest] = [
        .group(id: "g1", title: "Diving", members: ["bo"]), .group(id: "g1", title: "Climbing", members: []),
      ]
      for other in others { try await ann.post("conversations", other).expect(409, .idInUse) }
      let boGroup = try await bo.group("g1", title: "Climbing", ["ann"])
      #expect(boGroup.id != made.id)
      try await ann.post(
        "conversations", Wire.ConversationRequest.group(id: "g2", title: "A", members: ["zoe"])
      )
      .expect(404, .unknownUser)
    }
  }

  @Test("Opening a group again after a member has left returns the same group")
  func groupWithout() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann"), bo = try await server.user("bo")
      let made = try await ann.group("g1", ["bo"])
      try await bo.send("DELETE", "conversations/\(made.id)/membership").expect(204)
      let again = try await ann.group("g1", ["bo"])
      #expect(again.id == made.id)
      #expect(again.members == ["ann"])
    }
  }

  @Test("A read mark never moves back or beyond the newest message, and a negative position is refused")
  func read() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann"), bo = try await server.user("bo")
      let id = try await ann.direct("bo").id
      try await ann.messages(["1", "2", "3"], to: id)
      func mark(_ position: Int64) async throws -> Int64 {
        try await bo.post("conversations/\(id)/read", Wire.ReadRequest(position: position))
          .decoded(Wire.ReadMark.self).readPosition
      }
      #expect(try await mark(2) == 2)
      #expect(try await mark(1) == 2)
      #expect(try await mark(0) == 2)
      #expect(try await mark(.max) == 3)
      #expect(try await bo.direct("ann").readPosition == 3)
      #expect(try await ann.direct("bo").readPosition == 0)
      try await bo.post("conversations/\(id)/read", Wire.ReadRequest(position: -1)).expect(400, .badRequest)
      try await bo.post("conversations/\(id)/read", Wire.ReadRequest(position: .min)).expect(400, .badRequest)
    }
  }

  @Test("Only members can read a conversation, post to it or mark it as read; for others, it does not exist")
  func membership() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann"), bo = try await server.user("bo"),
        eve = try await server.user("eve")
      let id = try await ann.direct("bo").id
      try await ann.messages(["1"], to: id)
      let foreign = try await eve.get("conversations/\(id)")
      try foreign.expect(404, .notFound)
      #expect(try await eve.get("conversations/0123456789abcdef").body == foreign.body)
      try await eve.get("conversations/\(id)/messages").expect(404, .notFound)
      try await eve.message("1", to: id).expect(404, .notFound)
      try await eve.post("conversations/\(id)/read", Wire.ReadRequest(position: 1)).expect(404, .notFound)
      #expect(try await eve.sync().conversations.isEmpty)
      #expect(try await bo.history(id).messages.count == 1)
    }
  }
}
