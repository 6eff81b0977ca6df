import Foundation
import Skein
import SkeinHTTP
import Testing

@Suite("Contacts on the real server", .timeLimit(.minutes(2)))
struct ContactTests {
  @Test("Opening a conversation adds a contact, and leaving a group removes the group from the contacts")
  func leaving() async throws {
    try await TestWorld.run { world in
      let alice = try await world.client(try await world.user("alice"))
      let bob = try await world.client(try await world.user("bob"))
      let chat = try await alice.open(.direct("bob"))
      _ = try await alice.send(TextContent("Hello"), to: chat).result
      let group = try await alice.openGroup(title: "Climbing", members: ["bob"])
      _ = try await alice.send(TextContent("Up?"), to: group).result
      let own = try await alice.contacts { $0.count == 2 }
      #expect(own.map(\.name) == ["Climbing", "bob"])
      #expect(own.map(\.type) == [.group, .friend])
      _ = try await bob.contacts { $0.count == 2 }
      let theirs = try await bob.conversation { $0.lastMessage?.text == "Up?" }

      try await bob.conversations.leave(theirs.id)
      _ = try await bob.contacts { $0.map(\.name) == ["alice"] }
      while try await alice.members(of: group) != ["alice"] { await Task.yield() }
      _ = try await alice.send(TextContent("Alone?"), to: group).result
      let backend = HTTPBackend(try await world.signIn("bob"), options: .patient)
      let batch = try await backend.sync(since: nil, limit: 10)
      #expect(batch.conversations.map(\.info.type) == [.direct])
      #expect(bob.conversations.conversations.count == 1)
    }
  }
}

extension ChatClient {
  fileprivate func contacts(where condition: (ListSnapshot<Contact>) -> Bool) async throws
    -> ListSnapshot<Contact>
  {
    for await update in contacts.changes where condition(update.snapshot) { return update.snapshot }
    throw CancellationError()
  }
}
