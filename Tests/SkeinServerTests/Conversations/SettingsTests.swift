import Foundation
import SkeinStorage
import SkeinWire
import Testing

@testable import SkeinServer

@Suite("Settings of conversations on the server")
struct SettingsTests {
  @Test("A setting is stored for its member alone, and is in the next sync of the member")
  func sync() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann"), bo = try await server.user("bo")
      let id = try await ann.direct("bo").id
      let annCursor = try await ann.sync().next, boCursor = try await bo.sync().next
      let set = try await bo.post("conversations/\(id)/settings", Wire.ConversationSettings(isMuted: true))
        .decoded(Wire.ConversationSettings.self)
      let muted = Wire.ConversationSettings(isMuted: true, isPinned: false, isMarkedUnread: false)
      #expect(set == muted)
      let page = try await bo.sync(boCursor)
      #expect(page.conversations.map(\.conversation.settings) == [muted])
      #expect(page.conversations.map(\.count) == [0])
      #expect(try await ann.sync(annCursor).conversations.isEmpty)
      // A repeated request changes nothing.
      try await bo.post("conversations/\(id)/settings", Wire.ConversationSettings(isMuted: true)).expect(200)
      #expect(try await bo.sync(page.next).conversations.isEmpty)
      try await ann.messages(["1"], to: id)
      try await bo.post("conversations/\(id)/read", Wire.ReadRequest(position: 1)).expect(200)
      #expect(try await bo.direct("ann").settings == muted)
    }
  }

  @Test("Only a member has settings, and they end with the membership")
  func membership() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann"), bo = try await server.user("bo")
      let cy = try await server.user("cy")
      let id = try await ann.group("g", ["bo"]).id
      let pinned = Wire.ConversationSettings(isPinned: true)
      try await cy.post("conversations/\(id)/settings", pinned).expect(404)
      try await bo.post("conversations/\(id)/settings", pinned).expect(200)
      try await bo.send("DELETE", "conversations/\(id)/membership").expect(204)
      try await bo.post("conversations/\(id)/settings", pinned).expect(404)
    }
  }

  @Test("A database of the eighth version gets conversations without settings")
  func migration() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann")
      var bo = try await server.user("bo")
      _ = try await ann.direct("bo")
      await server.stop()
      let file = server.folder.appending(path: "server.sqlite")
      let database = try await Database.open(at: file, schema: Schema(version: 9, tables: []))
      try await database.write { rows in
        try rows.dropSettings()
        try rows.execute("PRAGMA user_version = 8")
      }
      await database.close()
      try await server.start()
      bo.port = await server.port
      let none = Wire.ConversationSettings(isMuted: false, isPinned: false, isMarkedUnread: false)
      #expect(try await bo.sync().conversations.map(\.conversation.settings) == [none])
    }
  }
}
