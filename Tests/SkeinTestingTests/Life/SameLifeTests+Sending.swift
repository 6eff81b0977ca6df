import Skein
import SkeinTesting
import Testing

extension SameLifeTests {
  @Test(
    "If two users write at once and answers are lost, both lists have each message once, in the same order",
    arguments: styles)
  func sending(_ style: ServerStyle) async throws {
    try await Household.with(style) { household in
      var clients: [ChatClient] = []
      var chats: [ChatContext] = []
      for (user, peer) in [(household.alice, household.bob), (household.bob, household.alice)] {
        let client = try await household.client(of: user)
        client.start()
        clients.append(client)
        let chat = client.context(for: try await client.open(.direct(peer)))
        try await chat.open()
        chats.append(chat)
      }
      for number in 1...16 {
        for (chat, name) in zip(chats, ["a", "b"]) {
          try await chat.messenger.send(TextContent("\(name)\(number)"))
        }
        if number % 4 == 0 { try await household.server.loseNextAnswer(to: household.bob, by: .cut) }
        if number % 5 == 0 { try await household.server.cutConnections(of: household.alice) }
      }
      for (chat, client) in zip(chats, clients) {
        var names: [ServerMessageID?] = []
        for await update in chat.changes {
          // The answer that is lost may be the answer to one of these calls.
          try await household.repeating {
            for case .gap(let gap) in update.snapshot where chat.messages.contains(.gap(gap)) {
              try await chat.fill(gap)
            }
            try await chat.pageBack()
          }
          names = try await household.names()
          guard names.count == 32, chat.messages.compactMap(\.gap).isEmpty else { continue }
          let messages = chat.messages.compactMap(\.message)
          if household.isInOrder(messages.map(\.serverID), names) { break }
        }
        let statuses = chat.messages.compactMap { $0.message?.status }
        #expect(
          statuses == Array(repeating: .sent, count: 32),
          "\(chat.texts), of \(names.count) on the server; more after them: \(chat.hasMoreNextMessages)")
        let waiting = try await client.waitingMessageCount()
        #expect(waiting == 0)
      }
      for client in clients { await client.close() }
    }
  }
}
