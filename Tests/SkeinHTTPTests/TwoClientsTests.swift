import Foundation
import Skein
import SkeinHTTP
import Testing

@Suite("Two clients on the real server", .timeLimit(.minutes(2)))
struct TwoClientsTests {
  @Test(
    "Parameters that a send participant adds reach the other client, by HTTP and by socket",
    arguments: [false, true])
  func parameters(bySocket: Bool) async throws {
    try await TestWorld.run { world in
      var options = ChatOptions()
      options.sendParticipants = [Referrer()]
      var http = HTTPOptions()
      if bySocket { http.sending = .socket }
      let alice = try await world.client(try await world.user("alice"), options, http: http)
      let bob = try await world.client(try await world.user("bob"))
      let chat = try await alice.open(.direct("bob"))
      let sent = try await alice.send(TextContent("Hello"), to: chat).result
      let found = try await bob.conversation { $0.lastMessage?.text == "Hello" }
      #expect(found.lastMessage?.parameters == ["referrer": "caf\u{e9} \"/\""])
      #expect(sent.parameters == found.lastMessage?.parameters)
      // A sync returns the sender's own message as the server has stored it.
      let own = try await alice.context(for: chat).messages { $0.count == 1 }
      #expect(own.first?.parameters == sent.parameters)
    }
  }

  @Test("Text sent both ways is in both lists in the same order")
  func text() async throws {
    try await TestWorld.run { world in
      let alice = try await world.client(try await world.user("alice"))
      let bob = try await world.client(try await world.user("bob"))
      let there = alice.context(for: try await alice.open(.direct("bob")))
      let sent = try await there.messenger.send(TextContent("Hello"))
      #expect(try await sent.result.status == .sent)

      let found = try await bob.conversation { $0.lastMessage?.text == "Hello" }
      #expect(found.peer == "alice" && found.unreadCount == 1)
      let here = bob.context(for: found.id)
      try await here.messenger.send(TextContent("Hello yourself"))
      let one = try await there.messages { $0.count == 2 && $0.allSatisfy { $0.status == .sent } }
      let other = try await here.messages { $0.count == 2 && $0.allSatisfy { $0.status == .sent } }
      #expect(one.map(\.text) == ["Hello", "Hello yourself"])
      #expect(one.map(\.serverID) == other.map(\.serverID))
      #expect(other.map(\.isOwn) == [false, true])
    }
  }

  @Test("Pictures sent both ways arrive byte for byte")
  func picture() async throws {
    try await TestWorld.run { world in
      let alice = try await world.client(try await world.user("alice"))
      let bob = try await world.client(try await world.user("bob"))
      let there = alice.context(for: try await alice.open(.direct("bob")))
      let picture = try world.file("alice.png", size: 200_000)
      try await there.messenger.send(ImageContent(file: picture))
      let found = try await bob.conversation { $0.lastMessage?.kind == "image" }
      let here = bob.context(for: found.id)
      let answer = try world.file("bob.png", size: 70_001)
      try await here.messenger.send(ImageContent(file: answer))

      for (client, context, sender, file) in [(bob, here, "alice", picture), (alice, there, "bob", answer)] {
        let messages = try await context.messages { messages in
          messages.contains { $0.sender.rawValue == sender && $0.status == .sent }
        }
        let image = messages.first { $0.sender.rawValue == sender }?.content.as(ImageContent.self)
        let copy = file.appendingPathExtension("copy")
        try await client.download(try #require(image?.image.media), to: copy)
        #expect(try Data(contentsOf: copy) == Data(contentsOf: file))
      }
    }
  }

  @Test("The recipients of a merged forward can open its pictures, even if it is forwarded merged again")
  func mergedForward() async throws {
    try await TestWorld.run { world in
      let bob = try await world.client(try await world.user("bob"))
      let readers: [UserID] = ["alice", "carol", "dave"]
      var clients: [ChatClient] = []
      for reader in readers { clients.append(try await world.client(try await world.user(reader))) }
      let file = try world.file("picture.png", size: 3000)
      let picture = ImageContent(.file(file, type: "image/png"))
      let sent = try await bob.send(picture, to: bob.open(.direct("alice"))).result
      let media = try #require(sent.content.as(ImageContent.self)?.image.media)

      for (reader, next) in zip(clients, readers.dropFirst()) {
        let received = try await reader.conversation { $0.lastMessage != nil }
        let message = try #require(received.lastMessage)
        let chat = try await reader.open(.direct(next))
        _ = try await reader.forward(merged: [message.id], title: "Pictures", to: chat).result
      }
      for client in clients {
        _ = try await client.conversation { $0.lastMessage != nil }
        #expect(try Data(contentsOf: await client.file(for: media)) == Data(contentsOf: file))
      }
    }
  }

  @Test("Messages sent offline wait on disk and are sent in order when the server is back")
  func offline() async throws {
    try await TestWorld.run { world in
      let alice = try await world.client(try await world.user("alice"))
      let bob = try await world.client(try await world.user("bob"))
      await alice.reach(.online)
      await world.stopServer()
      await alice.reach(.offline)
      let there = alice.context(for: try await alice.open(.direct("bob")))
      var sent: [SentMessage] = []
      for text in ["one", "two", "three"] { sent.append(try await there.messenger.send(TextContent(text))) }
      let waiting = try await there.messages { $0.count == 3 }
      #expect(!waiting.contains { $0.status == .sent })

      try await world.startServer()
      for message in sent { _ = try await message.result }
      let found = try await bob.conversation { $0.lastMessage?.text == "three" }
      let arrived = try await bob.context(for: found.id).messages { $0.count == 3 }
      #expect(arrived.map(\.text) == ["one", "two", "three"])
    }
  }

  @Test("A long history is paged back to its first message without a gap")
  func history() async throws {
    try await TestWorld.run { world in
      let sender = HTTPBackend(try await world.user("alice"), options: .patient)
      let session = try await world.user("bob")
      let chat = try await sender.open(.direct("bob"))
      for number in 1...120 {
        _ = try await sender.send(
          OutgoingMessage(
            id: MessageID(rawValue: "m\(number)"), conversation: chat.ref, kind: "text",
            payload: Data(#"{"text":"\#(number)"}"#.utf8)))
      }
      var options = ChatOptions()
      options.pageSize = 20
      options.catchUpPageSize = 10
      let bob = try await world.client(session, options)
      let found = try await bob.conversation { $0.lastMessage?.text == "120" }
      let here = bob.context(for: found.id)
      try await here.messages { !$0.isEmpty }
      while here.hasMorePreviousMessages { try await here.fetchMorePreviousMessages() }
      let all = try await here.messages { $0.count == 120 }
      #expect(all.map(\.text) == (1...120).map(String.init))
      #expect(here.messages.count == 120)
    }
  }

  @Test("A message that the user reads on one device counts as read on the user's other device")
  func readMarks() async throws {
    try await TestWorld.run { world in
      let sessions = (try await world.user("alice"), try await world.signIn("alice"))
      let phone = try await world.client(sessions.0)
      let tablet = try await world.client(sessions.1)
      let bob = try await world.client(try await world.user("bob"))
      let there = bob.context(for: try await bob.open(.direct("alice")))
      try await there.messenger.send(TextContent("one"))
      try await there.messenger.send(TextContent("two"))
      let onPhone = try await phone.conversation { $0.unreadCount == 2 }
      let unread = try await tablet.conversation { $0.unreadCount == 2 }
      #expect(!onPhone.unreadIsAtLeast)

      let here = phone.context(for: onPhone.id)
      try await here.markRead()
      let read = try await tablet.conversation { $0.unreadCount == 0 }
      #expect(read.id == unread.id)
      #expect(read.lastMessage?.text == "two")
    }
  }
}

private struct Referrer: SendParticipant {
  func contribute(to draft: inout MessageDraft) { draft.parameters["referrer"] = "caf\u{e9} \"/\"" }
}
