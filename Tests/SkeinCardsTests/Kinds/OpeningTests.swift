import Skein
import SkeinCards
import Synchronization
import Testing

@Suite("Cards that open pages")
struct OpeningTests {
  @Test("A contact card opens a chat, a topic card opens its topic, and an invitation card opens its page")
  func pages() async throws {
    try await CardStage.run { stage in
      let list = Pages()
      let cards = MessageCardViewModelFactory(for: stage.chat, registry: .standard, delegate: list)
      let contents: [any MessageContent] = [
        ContactContent("carol", name: "Carol C."), TopicContent(.init(rawValue: "t1"), title: "Snow"),
        InvitationContent("Skiing", place: "Alps"),
      ]
      var messages: [ChatMessage] = []
      for content in contents { messages.append(try await stage.receive(content)) }
      for message in messages {
        let card = cards.card(for: message)
        let component = try #require(card.components.first)
        let action = try #require(component.actions.first)
        await cards.perform(action.name, of: component.id, on: card)?.value
      }
      #expect(
        list.opened.withLock { $0 } == [
          CardPage("chat", about: messages[0].id, parameters: ["user": "carol"]),
          CardPage("topic", about: messages[1].id, parameters: ["topic": "t1"]),
          CardPage("invitation", about: messages[2].id),
        ])
      #expect(cards.problems.isEmpty)
    }
  }
}

/// A delegate that records the opened pages.
private final class Pages: MessageCardDelegate {
  let opened = Mutex<[CardPage]>([])
  func open(_ page: CardPage) { opened.withLock { $0.append(page) } }
}
