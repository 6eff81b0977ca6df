import Foundation
import Skein
import SkeinCards
import SkeinTerminal
import SkeinWeb
import Synchronization

struct PollComponent: CardComponent {
  let id: ComponentID = "poll"
  let question: String
  let answers: [String]
  let votes: [String: Int]

  var displayedText: String { question }
  var actions: [CardAction] { answers.map { CardAction("vote", value: $0, title: "Vote for \($0)") } }
}

final class PollPlugin: MessageCardPlugin {
  static let business = "polls"
  static let kinds: [MessageKind] = [Poll.kind]
  private let context: MessageCardContext
  private let votes = Mutex<[LocalMessageID: [String: Int]]>([:])

  init(_ context: MessageCardContext) { self.context = context }

  func components(of message: ChatMessage) -> [any CardComponent] {
    guard let poll = message.content.as(Poll.self) else { return [] }
    let votes = votes.withLock { $0[message.id] ?? [:] }
    return [PollComponent(question: poll.question, answers: poll.answers, votes: votes)]
  }

  func perform(_ action: CardAction.Name, _ value: String?, on message: ChatMessage) async throws {
    guard action == "vote", let value else { return }
    votes.withLock { $0[message.id, default: [:]][value, default: 0] += 1 }
    context.reload([message.id])
  }
}

/// Makes a message's card and performs an action of the card, as in the handbook's example of a list.
func drawCard(of message: ChatMessage, in chat: ChatContext) -> MessageCardViewModel {
  var registry = CardRegistry.standard
  registry.register(PollPlugin.self)
  let cards = MessageCardViewModelFactory(for: chat, registry: registry)
  let card = cards.card(for: message)
  cards.perform("vote", of: "poll", on: card, value: "Tea")
  return card
}

/// Draws a part of a message in a mail about missed messages.
protocol MailComponent: CardComponent {
  func mailed() -> String
}

extension TextComponent: MailComponent {
  func mailed() -> String { displayedText }
}

extension FileComponent: MailComponent {
  func mailed() -> String { "\(name), attached to the message" }
}

func mail(of card: MessageCardViewModel) -> String {
  card.components
    .map { component in (component as? any MailComponent)?.mailed() ?? component.displayedText }
    .joined(separator: "\n")
}

struct Weather: MessageContent {
  static let kind: MessageKind = "com.example.weather"
  var place: String
  var degrees: Int
  var displayedText: String { "\(place): \(degrees) °C" }
}

struct WeatherComponent: CardComponent, HTMLComponent {
  let id: ComponentID = "weather"
  let place: String
  let degrees: Int

  var displayedText: String { "\(place): \(degrees) °C" }

  func html(on surface: HTMLSurface) -> HTML {
    HTML(.div, [.class("column")]) {
      HTML(.strong) { HTML(place) }
      HTML(" \(degrees) °C")
    }
  }
}

extension WeatherComponent: TerminalComponent {
  var terminalLines: [TerminalLine] { [TerminalLine(place, .strong), TerminalLine("\(degrees) °C")] }
}

/// Serves a page as in the document on surfaces.
func servePage(of client: ChatClient, in folder: URL) async throws -> WebFrontEnd {
  var cards = CardRegistry.standard
  cards.register(Weather.self) { weather, _ in
    [WeatherComponent(place: weather.place, degrees: weather.degrees)]
  }
  let page = try await WebFrontEnd.start(client, cards: cards, uploads: folder)
  print("Open \(page.address)")
  return page
}
