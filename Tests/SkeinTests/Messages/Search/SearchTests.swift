import Foundation
import Skein
import SkeinSimulation
import SkeinStorage
import Testing

@Suite("Searching messages")
struct SearchTests {
  private func texts(_ messages: [ChatMessage]) -> [String] { messages.map(\.content.displayedText) }

  @Test(
    "Search returns pages of messages of one chat or all chats, newest first, whatever order they arrived in",
    .simulated)
  func order() async throws {
    try LoadingTests.fill(stage, 1...30)
    let ref = try stage.server.open(.direct("bob"), by: "carol").ref
    for number in 1...3 { try stage.server.post("carol's number \(number)", from: "carol", in: ref) }
    var options = ChatOptions()
    options.catchUpPageSize = 5
    let bob = try await stage.client("bob", on: "bob", options: options)
    bob.start()
    try await bob.conversations.list { $0.count == 2 && $0.allSatisfy { $0.lastMessage != nil } }
    let chat = try #require(bob.conversations.conversations.first { $0.peer == "alice" }).id
    let context = bob.context(for: chat)
    try await context.open()
    while context.hasMorePreviousMessages { try await context.fetchMorePreviousMessages() }
    let all = try await bob.searchMessages("1")
    #expect(self.texts(all).first == "carol's number 1")
    #expect(Array(self.texts(all).dropFirst()) == (10...19).reversed().map(String.init) + ["1"])
    let first = try await bob.searchMessages("1", in: chat, limit: 4)
    let rest = try await bob.searchMessages("1", in: chat, before: first.last, limit: 50)
    #expect(self.texts(first + rest) == Array(self.texts(all).dropFirst()))
    await bob.close()
  }

  @Test(
    "Edited messages are found by their new words, and recalled, deleted or cleared ones are not found",
    .simulated)
  func changes() async throws {
    let clients = try await Trio(stage)
    let (sent, others) = try await clients.write("the secret mellon")
    try await clients.chat.messenger.edit(sent, to: TextContent("the open friend"))
    for context in [clients.chat] + others { try await context.list { $0.texts == ["the open friend"] } }
    try await clients.chat.list { $0.last?.message?.hasPendingAction == false }
    for client in [clients.alice, clients.bob] {
      #expect(try await client.searchMessages("mellon").isEmpty)
      #expect(try await client.searchMessages("FRIE").count == 1)
    }
    let received = try #require(others[1].messages.last?.message?.id)
    try await others[1].delete([received])
    #expect(try await clients.bob.searchMessages("friend").isEmpty)
    try await clients.chat.messenger.recall(sent)
    try await clients.chat.list {
      $0.last?.message.map { $0.isRecalled && !$0.hasPendingAction } ?? false
    }
    #expect(try await clients.alice.searchMessages("friend").isEmpty)
    let last = try await clients.chat.messenger.send(TextContent("Café au lait"))
    _ = try await last.result
    #expect(try await clients.alice.searchMessages("cafe").count == 1)
    try await clients.chat.clearAllMessages()
    #expect(try await clients.alice.searchMessages("cafe").isEmpty)
    try await clients.close()
  }

  @Test(
    "An own message is found exactly once before and after it is sent, by any part of its Chinese text",
    .simulated)
  func own() async throws {
    let client = try await stage.client("alice", on: "phone")
    let chat = try await client.open(.direct("bob"))
    let sent = try await client.send(TextContent("今晚去吃火锅店吗？"), to: chat)
    for _ in 1...2 {
      for query in ["锅", "火锅", "火锅店", "今晚去吃火锅店吗"] {
        #expect(try await client.searchMessages(query).map(\.id) == [sent.id])
      }
      for query in ["锅火", "火店", "晚吃", "？", "", "\"", "火锅 AND", "chat:c1", "*"] {
        #expect(try await client.searchMessages(query).isEmpty)
      }
      client.start()
      _ = try await sent.result
    }
    await client.close()
  }

  @Test(
    "A received message is indexed after some seconds, or earlier if a search starts, and the search finds it",
    .simulated,
    arguments: [true, false])
  func later(waits: Bool) async throws {
    let clients = try await Trio(stage)
    _ = try await clients.write("mellon")
    let file = stage.folder.appending(path: "bob").appending(path: "chat.sqlite")
    func entries() throws -> Int? {
      try Inspection.read(file) { try $0.scalar(Int.self, "SELECT count(*) FROM message_search") }
    }
    #expect(try entries() == 0)
    if waits {
      try await stage.runtime(named: "clock").sleep(for: .seconds(6))
      #expect(try entries() == 1)
    }
    #expect(try await clients.bob.searchMessages("mellon").count == 1)
    #expect(try entries() == 1)
    try await clients.close()
  }

  @Test("Messages stored by a version without search are found once they have been indexed", .simulated)
  func older() async throws {
    try LoadingTests.fill(stage, 1...500)
    var options = ChatOptions()
    options.catchUpPageSize = 500
    var bob = try await stage.client("bob", on: "bob", options: options)
    bob.start()
    _ = try await bob.conversations.first { $0.lastMessage != nil }
    await bob.close()
    let file = stage.folder.appending(path: "bob").appending(path: "chat.sqlite")
    let database = try await Database.open(
      at: file, schema: Schema(version: OldDatabaseTests.current, tables: []))
    try await database.write(.kill) { rows in
      try rows.execute("DELETE FROM message_search")
      try rows.execute("UPDATE message SET search_id = NULL")
      try rows.execute("UPDATE account SET unindexed_below = next_message")
    }
    await database.close()
    bob = try await stage.client("bob", on: "bob", options: options)
    bob.start()
    while try await bob.searchMessages("1", limit: 500).count < 111 {
      try await stage.runtime(named: "clock").sleep(for: .milliseconds(10))
    }
    await bob.close()
  }

  @Test("A message with an edit that still waits is found by its new words only", .simulated)
  func waitingEdit() async throws {
    let clients = try await Trio(stage)
    let (sent, _) = try await clients.write("the secret mellon")
    stage.server.setReachable(false)
    #expect(try await clients.alice.searchMessages("mellon").count == 1)
    try await clients.chat.messenger.edit(sent, to: TextContent("the open friend"))
    #expect(try await clients.alice.searchMessages("mellon").isEmpty)
    #expect(try await clients.alice.searchMessages("friend").count == 1)
    stage.server.setReachable(true)
    try await clients.chat.list { $0.last?.message?.hasPendingAction == false }
    #expect(try await clients.alice.searchMessages("friend").count == 1)
    try await clients.close()
  }
}
