import Skein
import SkeinCards
import SkeinTerminal

extension ChatDesk: MessageCardDelegate {
  nonisolated func open(_ page: CardPage) {
    Task { [output] in await output.show([.opens(page)]) }
  }

  /// Reports what plugins want drawn anew.
  func followReloads(of cards: MessageCardViewModelFactory, in chat: ChatContext) async {
    for await reloaded in cards.reloads {
      let messages = chat.messages.compactMap(\.message).filter { reloaded.contains($0.id) }
      await output.show(messages.map { .reloaded(cards.card(for: $0)) })
    }
  }

  /// Lists what can be done with the open chat's cards; the numbers hold until it is listed again.
  func listOffers() async throws {
    let chat = try openChat()
    offers = chat.messages.compactMap(\.message).flatMap { cards?.card(for: $0).terminalOffers ?? [] }
    await output.show([.offers(offers)])
  }

  /// Does one of what was listed; a plugin that takes its time holds up nobody.
  func perform(_ number: Int, _ value: String?) throws {
    guard offers.indices.contains(number - 1) else {
      throw UsageError("/do has listed nothing with the number \(number); type /do alone first.")
    }
    let offer = offers[number - 1]
    cards?.perform(
      offer.action.name, of: offer.component, on: offer.card, value: offer.action.value ?? value)
  }
}
