import Foundation
import SkeinServer
import SkeinStorage
import SkeinWire
import Testing

struct ContactTests {
  @Test(
    "Each user of a direct conversation is a contact of the other, and a group is a contact of every member")
  func made() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann"), bo = try await server.user("bo")
      #expect(try await ann.contacts().changed.isEmpty)
      _ = try await ann.direct("bo")
      let group = try await bo.group("g", title: "Climbing", ["ann"])
      let page = try await ann.contacts()
      #expect(page.from == nil && page.removed.isEmpty)
      #expect(page.changed.map(\.name) == ["Climbing", "bo"])
      #expect(page.changed.map(\.contact.conversation) == [group.id, nil])
      #expect(try await bo.contacts().changed.map(\.kind) == [.group, .friend])
      #expect(try await ann.sync().contactVersion == page.next)
    }
  }

  @Test(
    "A diff has the contacts added, changed and removed since a version; an unknown version gives all"
  )
  func diff() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann")
      for name in ["bo", "cy", "di"] { _ = try await server.user(Wire.UserID(rawValue: name)) }
      for name in ["bo", "cy"] { try await ann.contact(.init(user: Wire.UserID(rawValue: name))) }
      let version = try await ann.contacts().next
      #expect(try await ann.contacts(version).changed.isEmpty)
      try await ann.contact(.init(user: "di"))
      let muted = try await ann.contact(.init(user: "bo"), remark: "Bobby", isMuted: true)
      #expect(muted.remark == "Bobby" && muted.isMuted && !muted.isPinned)
      try await ann.send("DELETE", "contacts/cy").expect(204)
      try await ann.send("DELETE", "contacts/cy").expect(204)
      let diff = try await ann.contacts(version)
      #expect(diff.from == version)
      #expect(diff.changed.map(\.contact.user) == ["di", "bo"])
      #expect(diff.removed == [.init(user: "cy")])
      #expect(try await ann.contacts(diff.next).next == diff.next)
      for foreign in ["", "1-0000", "nonsense"] {
        #expect(try await ann.contacts(.init(rawValue: foreign)).from == nil)
      }
      try await ann.post("contacts", Wire.ContactRequest(contact: .init(user: "ann"))).expect(
        400, .badRequest)
      try await ann.post("contacts", Wire.ContactRequest(contact: .init(user: "zoe"))).expect(
        404, .unknownUser)
      try await ann.post("contacts", Wire.ContactRequest(contact: .init())).expect(404, .notFound)
    }
  }

  @Test("Sync omits a removed contact's conversation, and reports all of it after the contact is restored")
  func removed() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann"), bo = try await server.user("bo")
      let id = try await ann.direct("bo").id
      try await bo.messages(["1", "2"], to: id)
      let before = try await ann.sync()
      #expect(before.conversations.map(\.count) == [2])
      try await ann.send("DELETE", "contacts/bo").expect(204)
      try await bo.messages(["3"], to: id)
      let meanwhile = try await ann.sync(before.next)
      #expect(meanwhile.conversations.isEmpty)
      #expect(try await ann.sync().conversations.isEmpty)
      _ = try await ann.direct("bo")
      let after = try await ann.sync(meanwhile.next)
      #expect(after.conversations.map(\.count) == [3])
      #expect(try await ann.contacts().changed.count == 1)
      #expect(try await bo.sync().conversations.map(\.count) == [3])
    }
  }

  @Test("A user who leaves a group no longer receives it, and the others' sync has the remaining members")
  func leaving() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann"), bo = try await server.user("bo")
      let id = try await ann.group("g", ["bo"]).id
      let known = try await bo.sync().next
      let version = try await ann.contacts().next
      for _ in 1...2 { try await ann.send("DELETE", "conversations/\(id)/membership").expect(204) }
      let change = try await bo.sync(known).conversations
      #expect(change.map(\.conversation.members) == [["bo"]])
      #expect(change.map(\.count) == [0])
      #expect(try await ann.sync().conversations.isEmpty)
      #expect(try await ann.contacts(version).removed == [.init(conversation: id)])
      try await ann.message("m", to: id).expect(404, .notFound)
      let direct = try await ann.direct("bo").id
      try await ann.send("DELETE", "conversations/\(direct)/membership").expect(400, .badRequest)
    }
  }

  @Test("Migrating an earlier database adds groups and direct peers to the contact lists")
  func migration() async throws {
    try await TestServer.run { server in
      var ann = try await server.user("ann")
      _ = try await server.user("bo")
      _ = try await ann.direct("bo")
      _ = try await ann.group("g", title: "Climbing", ["bo"])
      let contacts = try await ann.contacts().changed
      await server.stop()
      let file = server.folder.appending(path: "server.sqlite")
      let database = try await Database.open(at: file, schema: Schema(version: 9, tables: []))
      try await database.write { rows in
        try rows.dropRevisions()
        _ = try rows.execute("DROP TABLE contact")
        _ = try rows.execute("PRAGMA user_version = 3")
      }
      await database.close()
      try await server.start()
      ann.port = await server.port
      #expect(try await ann.contacts().changed == contacts)
    }
  }
}

extension TestClient {
  fileprivate func contacts(_ version: Wire.ContactVersion? = nil) async throws -> Wire.ContactPage {
    try await get("contacts" + (version.map { "?since=\($0)" } ?? "")).expect(200).decoded()
  }

  @discardableResult
  fileprivate func contact(_ name: Wire.ContactName, remark: String? = nil, isMuted: Bool? = nil) async throws
    -> Wire.Contact
  {
    try await post("contacts", Wire.ContactRequest(contact: name, remark: remark, isMuted: isMuted))
      .expect(200).decoded()
  }
}
