import Foundation
import Skein
import SkeinHTTP
import Testing

enum Gaps {
  static func row(for item: MessageListItem) -> String {
    switch item {
    case .message(let message): message.content.displayedText
    case .gap(let gap): label(for: gap)
    }
  }

  static func label(for gap: MessageGap) -> String {
    switch gap.state {
    case .open: gap.unreadCount.map { "\($0) more messages" } ?? "More messages"
    case .stalled: "Some messages could not be loaded. Try again"
    case .unavailable: "Older messages are no longer available"
    }
  }

  static func scrolledToTop(_ chat: ChatContext) async throws {
    if chat.hasMorePreviousMessages {
      try await chat.fetchMorePreviousMessages()
    }
  }

  static func tapped(_ item: MessageListItem, in chat: ChatContext) async throws {
    if let gap = item.gap, gap.state != .unavailable {
      try await chat.fill(gap)
    }
  }

  static func open(_ quote: Quote, in chat: ChatContext) async throws {
    if let id = quote.id {
      try await chat.jump(to: id)
    } else if let id = quote.message.serverID {
      try await chat.jump(to: id)
    }
  }

  static func show(_ day: Timestamp, in chat: ChatContext) async throws {
    try await chat.jump(to: day)
  }

  static func options() -> ChatOptions {
    var options = ChatOptions()
    options.catchUpPageSize = 20
    return options
  }
}

@Suite("Gaps")
struct GapsArticleTests {
  @Test("A new device has the newest messages of a chat, and pages back to the first")
  func works() async throws {
    try await ArticleStage.run { stage in
      let chat = stage.alice.context(for: try await stage.alice.open(.direct("bob")))
      for number in 1...30 { try await chat.messenger.send(TextContent("\(number)")) }
      for await status in stage.alice.sendStates where status.count == 0 { break }
      let phone = try await ChatClient.open(
        account: "alice", backend: HTTPBackend(stage.session),
        runtime: .system(directory: stage.folder.appending(path: "phone")), options: Gaps.options())
      phone.start()
      for await state in phone.catchUpStates where state == .caughtUp { break }
      for await update in phone.conversations.changes where !update.snapshot.isEmpty { break }
      let again = phone.context(for: try #require(phone.conversations.conversations.first?.id))
      try await again.open()
      #expect(again.messages.count { $0.message != nil } == 20)
      try await Gaps.scrolledToTop(again)
      #expect(again.messages.map(Gaps.row) == (1...30).map { "\($0)" })
      try await Gaps.show(Timestamp(milliseconds: 0), in: again)
      for item in again.messages { try await Gaps.tapped(item, in: again) }
      await phone.close()
    }
  }
}
