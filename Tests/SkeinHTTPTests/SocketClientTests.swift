import Foundation
import Skein
import SkeinHTTP
import Testing

@Suite("Clients that send over the socket", .timeLimit(.minutes(2)))
struct SocketClientTests {
  private var overSocket: HTTPOptions {
    var options = HTTPOptions.patient
    options.sending = .socket
    return options
  }

  @Test("Messages arrive once and in order, and none of them is posted over HTTP")
  func exchange() async throws {
    try await TestWorld.run { world in
      let alice = try await world.client(try await world.user("alice"), http: overSocket)
      let bob = try await world.client(try await world.user("bob"), http: overSocket)
      await alice.reach(.online)
      await bob.reach(.online)
      let chat = alice.context(for: try await alice.open(.direct("bob")))
      for number in 1...20 { try await chat.messenger.send(TextContent("\(number)")) }
      let conversation = try await bob.conversation { _ in true }
      let received = try await bob.context(for: conversation.id).messages { $0.count == 20 }
      #expect(received.map(\.text) == (1...20).map { "\($0)" })
      #expect(world.posts.value == 0)
    }
  }

  @Test("Each of two hundred messages that are sent at once, some of them twice, gets its own receipt")
  func many() async throws {
    try await TestWorld.run { world in
      let backend = HTTPBackend(try await world.user("alice"), options: overSocket)
      _ = try await world.user("bob")
      let conversation = try await backend.open(.direct("bob")).ref
      var receipts: [SendReceipt] = []
      try await backend.whileConnected {
        receipts = try await withThrowingTaskGroup(of: [SendReceipt].self) { group in
          for number in 0..<200 {
            let message = OutgoingMessage(
              id: MessageID(rawValue: "m\(number)"), conversation: conversation, kind: "text",
              payload: Data("\(number)".utf8))
            group.addTask {
              async let again = number % 4 == 0 ? backend.send(message) : nil
              let receipt = try await backend.send(message)
              if let again = try await again { #expect(again == receipt) }
              return [receipt]
            }
          }
          return try await group.reduce(into: []) { $0 += $1 }
        }
      }
      #expect(Set(receipts.compactMap(\.position?.rawValue)) == Set(1...200))
      #expect(world.posts.value == 0)
    }
  }

  @Test("A message is on the server once even if the connection is cut after the commit and before the ACK")
  func cut() async throws {
    try await TestWorld.run { world in
      let session = try await world.user("alice")
      _ = try await world.user("bob")
      let direct = HTTPBackend(session, options: .patient)
      let conversation = try await direct.open(.direct("bob")).ref
      let message = OutgoingMessage(
        id: MessageID(rawValue: "m1"), conversation: conversation, kind: "text",
        payload: Data(#"{"text":"once"}"#.utf8))
      let relay = try RawServer(.cut(port: world.address.port ?? 0, before: #""type":"ack""#))
      var address = URLComponents()
      (address.scheme, address.host, address.port) = ("http", "127.0.0.1", relay.port)
      let backend = HTTPBackend(
        server: try #require(address.url), token: session.token, options: overSocket)
      var receipt: SendReceipt?
      try await backend.whileConnected { receipt = try await backend.send(message) }
      #expect(world.posts.value == 1)
      let stored = try await direct.history(of: conversation, at: .newest, limit: 10).messages
      #expect(stored.map(\.messageID) == [message.id])
      #expect(stored.first?.serverID == receipt?.serverID)
    }
  }

  @Test("Messages written while the server is down arrive exactly once after its restart")
  func outage() async throws {
    try await TestWorld.run { world in
      let alice = try await world.client(try await world.user("alice"), http: overSocket)
      let bob = try await world.client(try await world.user("bob"), http: overSocket)
      await alice.reach(.online)
      let chat = alice.context(for: try await alice.open(.direct("bob")))
      try await chat.messenger.send(TextContent("before"))
      try await chat.messages { $0.last?.status == .sent }
      await world.stopServer()
      try await chat.messenger.send(TextContent("meanwhile"))
      try await world.startServer()
      let conversation = try await bob.conversation { _ in true }
      let received = try await bob.context(for: conversation.id).messages { $0.count >= 2 }
      #expect(received.map(\.text) == ["before", "meanwhile"])
    }
  }
}
