import Foundation
import Skein
import Testing

enum Lists {
  static func follow(_ chat: ChatContext, rows: inout [MessageListItem]) async {
    for await update in chat.changes {
      update.change.apply(to: &rows, from: update.snapshot)
    }
  }

  static func animate(_ change: ListChange, in table: some Table) {
    table.delete(change.deletions)
    table.move(change.moves.map { ($0.from, $0.to) })
    table.insert(change.insertions)
    table.refresh(change.updates)
  }

  static func texts(_ chat: ChatContext) -> [String] {
    let texts = chat.messages.suffix(20).compactMap { $0.message?.content.displayedText }
    return texts
  }

  static func isSameCell(_ old: ChatMessage, _ new: ChatMessage) -> Bool {
    let isUnchanged = old.id == new.id && old.version == new.version
    return isUnchanged
  }

  static func newest(_ chat: ChatContext) async throws {
    if chat.hasMoreNextMessages {
      try await chat.jumpToNewest()
    }
  }

  static func options() -> ChatOptions {
    var options = ChatOptions()
    options.pageSize = 50
    options.windowSize = 300
    return options
  }

  static func arrange(_ client: ChatClient, _ conversation: ConversationID) async throws {
    try await client.conversations.setPinned(true, for: conversation)
    try await client.conversations.setMuted(true, for: conversation)
    try await client.conversations.setDraft("I was about to", for: conversation)
  }

  static func search(_ client: ChatClient) async throws -> [ChatMessage] {
    let found = try await client.searchMessages("eight", limit: 20)
    return found
  }
}

/// Stands for an app's view with rows.
protocol Table {
  func delete(_ rows: [Int])
  func move(_ rows: [(Int, Int)])
  func insert(_ rows: [Int])
  func refresh(_ rows: [Int])
}

@Suite("Lists")
struct ListsArticleTests {
  @Test("The article's snippets work, and a copy made by applying the list's changes equals the list")
  func works() async throws {
    try await ArticleStage.run { stage in
      let chat = stage.alice.context(for: try await stage.alice.open(.direct("bob")))
      for text in ["See you", "at eight", "or at nine"] { try await chat.messenger.send(TextContent(text)) }
      for await update in chat.changes where update.snapshot.count == 3 { break }
      #expect(Lists.texts(chat) == ["See you", "at eight", "or at nine"])
      let message = try #require(chat.messages.first?.message)
      #expect(Lists.isSameCell(message, message))
      try await Lists.newest(chat)
      try await Lists.arrange(stage.alice, chat.conversation)
      #expect(try await Lists.search(stage.alice).count == 1)
      #expect(Lists.options().windowSize == 300)
      await stage.alice.close()
      var rows: [MessageListItem] = []
      await Lists.follow(chat, rows: &rows)
      #expect(rows.map(\.id) == chat.messages.map(\.id))
    }
  }
}
