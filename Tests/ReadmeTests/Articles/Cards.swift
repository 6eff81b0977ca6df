import Skein
import SkeinCards
import Synchronization
import Testing

struct InvitationComponent: CardComponent {
  let id: ComponentID = "invitation"
  let place: String
  let isAccepted: Bool

  var displayedText: String { isAccepted ? "\(place), accepted" : place }
  var actions: [CardAction] { [CardAction("accept", title: "Accept", isEnabled: !isAccepted)] }
}

final class InvitationPlugin: MessageCardPlugin {
  static let business = "invitations"
  static let kinds: [MessageKind] = [Invitation.kind]
  private let context: MessageCardContext
  private let accepted = Mutex<Set<LocalMessageID>>([])

  init(_ context: MessageCardContext) { self.context = context }

  func components(of message: ChatMessage) -> [any CardComponent] {
    guard let invitation = message.content.as(Invitation.self) else { return [] }
    let isAccepted = accepted.withLock { $0.contains(message.id) }
    return [InvitationComponent(place: invitation.place, isAccepted: isAccepted)]
  }

  func perform(_ action: CardAction.Name, _ value: String?, on message: ChatMessage) async throws {
    try await context.send(TextContent("I'll be there."))
    accepted.withLock { _ = $0.insert(message.id) }
    context.reload([message.id])
  }
}

enum Cards {
  static func registry() -> CardRegistry {
    var cards = CardRegistry.standard
    cards.register(Invitation.self) { invitation, _ in
      [InvitationComponent(place: invitation.place, isAccepted: false)]
    }
    return cards
  }

  static func factory(for chat: ChatContext) -> MessageCardViewModelFactory {
    var registry = CardRegistry.standard
    registry.register(InvitationPlugin.self)
    let cards = MessageCardViewModelFactory(for: chat, registry: registry)
    return cards
  }

  static func draw(_ message: ChatMessage, _ cards: MessageCardViewModelFactory) -> [String] {
    let card = cards.card(for: message)
    let lines = card.components.map { component in
      (component as? any PrintedComponent)?.printed ?? component.displayedText
    }
    return lines
  }

  static func tapped(
    _ action: CardAction, of component: ComponentID, on card: MessageCardViewModel,
    _ cards: MessageCardViewModelFactory
  ) async {
    let task = cards.perform(action.name, of: component, on: card, value: action.value)
    await task?.value
  }

  static func follow(_ cards: MessageCardViewModelFactory, redraw: (Set<LocalMessageID>) -> Void) async {
    for await reloaded in cards.reloads {
      redraw(reloaded)
    }
  }

  static func log(_ cards: MessageCardViewModelFactory, _ report: (String) -> Void) {
    for problem in cards.problems {
      report("\(problem.business): \(problem.reason)")
    }
  }
}

/// A component that can be printed on paper.
protocol PrintedComponent: CardComponent {
  var printed: String { get }
}

extension InvitationComponent: PrintedComponent {
  var printed: String { "Invitation to \(place)" }
}

@Suite("Cards")
struct CardsArticleTests {
  @Test("A plugin performs an action of its card, and the card is redrawn")
  func works() async throws {
    try await ArticleStage.run { stage in
      let chat = stage.alice.context(for: try await stage.alice.open(.direct("bob")))
      let sent = try await chat.messenger.send(Invitation(place: "Café Central", hour: 20))
      let message = try await sent.result
      let cards = Cards.factory(for: chat)
      #expect(Cards.draw(message, cards) == ["Invitation to Café Central"])
      let card = cards.card(for: message)
      let action = try #require(card.actions(of: "invitation").first)
      await Cards.tapped(action, of: "invitation", on: card, cards)
      #expect(cards.card(for: message).actions(of: "invitation").first?.isEnabled == false)
      Cards.log(cards) { Issue.record("\($0)") }
      #expect(Cards.registry().kinds.contains(Invitation.kind))
    }
  }
}
