import Skein
import SkeinCards
import SkeinExamples
import Testing

@Suite("A card that changes with time")
struct OfferTests {
  private func offer(on card: MessageCardViewModel) -> OfferComponent? {
    card.components.compactMap { $0 as? OfferComponent }.first
  }

  @Test("An offer is redrawn when it ends, and then has no enabled action")
  func ending() async throws {
    try await CardStage.run(kinds: [Offer.self]) { stage in
      var registry = CardRegistry.standard
      registry.register(OfferPlugin.self)
      let lasting = try await stage.receive(Offer("Pears", until: stage.chat.now + .seconds(3600)))
      let first = MessageCardViewModelFactory(for: stage.chat, registry: registry)
      let open = try #require(offer(on: first.card(for: lasting)))
      #expect(!open.isOver && open.actions.allSatisfy(\.isEnabled))
      let cards = MessageCardViewModelFactory(for: stage.chat, registry: registry)
      var reloads = cards.reloads.makeAsyncIterator()
      let message = try await stage.receive(Offer("Leeks", until: stage.chat.now + .seconds(2)))
      while offer(on: cards.card(for: message))?.isOver == false {
        let reloaded = await reloads.next()
        #expect(reloaded == [message.id])
      }
      #expect(offer(on: cards.card(for: message))?.actions.contains { $0.isEnabled } == false)
    }
  }

  @Test("Any timestamp in a message can be drawn", arguments: [Int64.min, -1, 0, Int64.max])
  func extremes(_ moment: Int64) async throws {
    try await CardStage.run(kinds: [Offer.self]) { stage in
      var registry = CardRegistry.standard
      registry.register(OfferPlugin.self)
      let cards = MessageCardViewModelFactory(for: stage.chat, registry: registry)
      let message = try await stage.receive(Offer("Leeks", until: Timestamp(rawValue: moment)))
      #expect(offer(on: cards.card(for: message))?.isOver == (moment <= 0))
    }
  }
}
