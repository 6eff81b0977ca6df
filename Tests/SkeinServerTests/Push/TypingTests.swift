import SkeinServer
import SkeinWire
import Testing

struct TypingTests {
  @Test("Only members of a conversation may report typing")
  func rights() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann"), bo = try await server.user("bo")
      let cy = try await server.user("cy")
      let id = try await ann.direct("bo").id
      try await bo.post("conversations/\(id)/typing", Wire.ReadRequest(position: 0)).expect(204)
      try await cy.post("conversations/\(id)/typing", Wire.ReadRequest(position: 0)).expect(404, .notFound)
    }
  }
}
