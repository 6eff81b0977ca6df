import Foundation
import Skein
import Testing

enum Receiving {
  static func followConnection(_ client: ChatClient, show: (String) -> Void) async {
    for await state in client.connectionStates {
      switch state {
      case .online: show("")
      case .offline: show("No connection. Messages wait on this device.")
      case .signedOut: show("Sign in again.")
      default: show("Connecting…")
      }
    }
  }

  static func followCatchUp(_ client: ChatClient, setUpdating: (Bool) -> Void) async {
    for await state in client.catchUpStates {
      setUpdating(state == .fetching)
    }
  }

  static func enterBackground(_ client: ChatClient) {
    client.isInBackground = true
  }

  static func followAlerts(_ client: ChatClient, notify: (String, String) -> Void) async {
    for await alert in client.alerts {
      for part in alert.parts {
        notify(part.name, part.messages.last?.content.displayedText ?? "You are invited.")
      }
    }
  }

  static func enter(_ chat: ChatContext, of client: ChatClient) async throws {
    client.activeConversation = chat.conversation
    try await chat.markRead()
  }

  static func badge(_ entry: Conversation) -> String {
    let badge = entry.unreadIsAtLeast ? "\(entry.unreadCount)+" : "\(entry.unreadCount)"
    return badge
  }

  static func picture(in message: ChatMessage, _ client: ChatClient) async throws -> URL? {
    guard let image = message.content.as(ImageContent.self)?.image.media else { return nil }
    let file = try await client.file(for: image)
    return file
  }

  static func ticks(_ message: ChatMessage, in chat: ChatContext) -> String {
    let ticks =
      switch chat.receipts.stage(of: message) {
      case .sent: "✓"
      case .delivered: "✓✓"
      case .read: "read"
      }
    return ticks
  }

  static func type(_ chat: ChatContext, show: ([UserID]) -> Void) async {
    chat.noteTyping()
    for await typists in chat.typistUpdates {
      show(typists)
    }
  }
}

@Suite("Receiving")
struct ReceivingArticleTests {
  @Test("The article's snippets follow a message from the unread count to the read receipt")
  func works() async throws {
    try await ArticleStage.run { stage in
      let chat = stage.alice.context(for: try await stage.alice.open(.direct("bob")))
      let sent = try await chat.messenger.send(TextContent("Hello"))
      let theirs = try await stage.bobsChat()
      let entry = try #require(stage.bob.conversations.conversations.first)
      #expect(Receiving.badge(entry) == "1")
      try await Receiving.enter(theirs, of: stage.bob)
      let message = try await sent.result
      for await receipts in chat.receiptUpdates where receipts.stage(of: message) == .read { break }
      #expect(Receiving.ticks(message, in: chat) == "read")
      #expect(try await Receiving.picture(in: message, stage.alice) == nil)
      Receiving.enterBackground(stage.bob)
      await stage.bob.close()
      var shown: [String] = []
      await Receiving.followConnection(stage.bob) { shown.append($0) }
      #expect(!shown.isEmpty)
    }
  }
}
