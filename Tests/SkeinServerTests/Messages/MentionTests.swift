import SkeinServer
import SkeinWire
import Testing

struct MentionTests {
  @Test(
    "Each unread message that mentions a user is counted once, and a recalled message is not counted")
  func counts() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann"), bo = try await server.user("bo")
      let id = try await ann.direct("bo").id
      let calls = [
        Wire.Mentions(users: ["bo", "bo", "nobody"]), Wire.Mentions(users: ["bo"], everyone: true),
        Wire.Mentions(users: ["ann"]), Wire.Mentions(),
      ]
      for (index, mentions) in calls.enumerated() {
        try await ann.message("m\(index)", mentions: mentions, to: id).expect(201)
      }
      #expect(try await bo.sync(limit: 1).conversations.first?.unreadMentions == 2)
      #expect(try await ann.sync(limit: 1).conversations.first?.unreadMentions == 0)
      #expect(try await bo.history(id).messages.map(\.mentions) == [calls[0], calls[1], calls[2], nil])

      try await ann.revise("m0", in: id, .recall, as: "r1").expect(200)
      #expect(try await bo.sync(limit: 1).conversations.first?.unreadMentions == 1)
      #expect(try await bo.history(id).messages.first?.mentions == nil)
      try await bo.post("conversations/\(id)/read", Wire.ReadRequest(position: 2)).expect(200)
      #expect(try await bo.sync(limit: 1).conversations.first?.unreadMentions == 0)
    }
  }

  @Test("A message that mentions too many users by name is refused")
  func limit() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann")
      let id = try await ann.group("g").id
      let users = (0...100).map { Wire.UserID(rawValue: "user\($0)") }
      try await ann.message("m1", mentions: Wire.Mentions(users: users), to: id).expect(400, .badRequest)
      try await ann.message("m1", mentions: Wire.Mentions(users: Array(users.dropLast())), to: id).expect(201)
    }
  }
}
