import SkeinServer
import SkeinWire
import Testing

struct ReceiptTests {
  @Test("A read mark is in the next sync of the other members")
  func read() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann"), bo = try await server.user("bo")
      let id = try await ann.direct("bo").id
      try await ann.messages(["m1", "m2"], to: id)
      let before = try await ann.sync().next
      try await bo.post("conversations/\(id)/read", Wire.ReadRequest(position: 1)).expect(200)
      let change = try #require(try await ann.sync(before).conversations.first)
      #expect(change.conversation.receipts == [Wire.Receipt(user: "bo", delivered: 1, read: 1)])
      #expect(change.count == 0)
      #expect(try await bo.sync().conversations.first?.conversation.receipts == nil)
    }
  }

  @Test("A delivery receipt reaches the sender, never moves back, and requires its user's own cursor")
  func delivered() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann"), bo = try await server.user("bo")
      let id = try await ann.direct("bo").id
      let early = try await bo.sync().next
      try await ann.messages(["m1", "m2"], to: id)
      let before = try await ann.sync().next
      let cursor = try await bo.sync(early).next
      for cursor in [cursor, early] {
        try await bo.post("deliveries", Wire.DeliveryRequest(cursor: cursor)).expect(204)
      }
      let change = try #require(try await ann.sync(before).conversations.first)
      #expect(change.conversation.receipts == [Wire.Receipt(user: "bo", delivered: 2, read: 0)])
      #expect(try await ann.sync(try await ann.sync(before).next).conversations.isEmpty)
      try await ann.post("deliveries", Wire.DeliveryRequest(cursor: cursor)).expect(400, .badCursor)
      try await ann.post("deliveries", Wire.DeliveryRequest(cursor: Wire.Cursor(rawValue: "no")))
        .expect(400, .badCursor)
    }
  }
}
