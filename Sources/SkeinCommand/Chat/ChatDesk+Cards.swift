import Skein
import SkeinCards
import SkeinTerminal

extension ChatDesk: MessageCardDelegate {
  nonisolated func style(of message: ChatMessage) -> CardStyle {
    CardStyle(namingSenderOf: message, like: client)
  }

  nonisolated func open(_ page: CardPage) {
    Task {
      if let user = ContactComponent.user(of: page) {
        await visit(user)
      } else {
        await output.show([.opens(page)])
      }
    }
  }

  /// Opens the chat with the user of a contact card.
  private func visit(_ user: UserID) async {
    do { try await openChat(with: user) } catch { await output.show([.problem(ProblemText.of(error))]) }
  }

  func openChat(with user: UserID, name: String? = nil) async throws {
    guard user != client.account else { throw UsageError("That is you.") }
    try await show(try await client.open(.direct(user)), name: name ?? user.rawValue)
  }

  /// Reports the cards that plugins have changed.
  func follow(
    _ reloads: AsyncStream<Set<LocalMessageID>>, of cards: MessageCardViewModelFactory, in chat: ChatContext
  ) async {
    for await reloaded in reloads {
      let messages = chat.messages.compactMap(\.message).filter { reloaded.contains($0.id) }
      await output.show(messages.map { .reloaded(cards.card(for: $0)) })
    }
  }

  /// Lists the actions of the open chat's cards. The numbers of the actions are valid until actions are
  /// listed again, until a chat is opened, or until the chat's list jumps.
  func listOffers() async throws {
    offers = try allOffers()
    await output.show([.offers(offers)])
  }

  private func allOffers() throws -> [TerminalOffer] {
    let chat = try openChat()
    return chat.messages.compactMap(\.message).flatMap { cards?.card(for: $0).terminalOffers ?? [] }
  }

  /// Performs a listed action on the present state of the action's message, without waiting for the plugin.
  /// If no action is listed, the number refers to the present actions.
  ///
  /// Returns after the chat of a contact card is open, so that the next line is sent to it.
  func perform(_ number: Int, _ value: String?) async throws {
    if offers.isEmpty { offers = try allOffers() }
    guard offers.indices.contains(number - 1) else {
      throw UsageError("There is no action \(number); /do lists the actions.")
    }
    let offer = offers[number - 1]
    guard
      let message = try openChat().messages.lazy.compactMap(\.message).first(where: { $0.id == offer.card.id }
      )
    else { throw UsageError("That message is no longer here; type /do again.") }
    if let name = offer.action.page {
      let page = CardPage(name, about: message.id, parameters: offer.action.parameters)
      if let user = ContactComponent.user(of: page) { return try await openChat(with: user) }
    }
    guard let cards,
      let work = cards.perform(
        offer.action.name, of: offer.component, on: cards.card(for: message),
        value: offer.action.value ?? value)
    else { return }
    performing += 1
    Task {
      await work.value
      performing -= 1
    }
  }
}
