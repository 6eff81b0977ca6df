import Skein
import SkeinCards
import SkeinExamples
import SkeinWeb
import Testing

@Suite("A custom kind in one file")
struct PollTests {
  @Test("A poll counts the latest vote of each user", .timeLimit(.minutes(1)))
  func votes() async throws {
    try await CardStage.run(kinds: [SkeinExamples.Poll.self, PollVote.self]) { stage in
      var registry = CardRegistry.standard
      registry.register(SkeinExamples.PollPlugin.self)
      let cards = MessageCardViewModelFactory(for: stage.chat, registry: registry)
      let message = try await stage.send(SkeinExamples.Poll("What?", answers: ["Tea", "Coffee"]))
      #expect(poll(on: cards.card(for: message))?.votes == [:])

      let cardOf = { poll(on: cards.card(for: message))?.votes }
      try await stage.receive(PollVote("Tea", to: message.messageID))
      try await cards.reload(until: { cardOf() == ["Tea": 1] })
      await cards.perform("vote", of: "poll", on: cards.card(for: message), value: "Tea")?.value
      try await cards.reload(until: { cardOf() == ["Tea": 2] })
      try await stage.receive(PollVote("Coffee", to: message.messageID))
      try await cards.reload(until: { cardOf() == ["Tea": 1, "Coffee": 1] })
      // A vote for an unknown answer is not counted, but replaces the user's earlier vote.
      let last = try await stage.receive(PollVote("Cocoa", to: message.messageID))
      try await cards.reload(until: { cardOf() == ["Tea": 1] })
      try await stage.chat.delete([last.id])
      try await cards.reload(until: { cardOf() == ["Tea": 1, "Coffee": 1] })
      #expect(cards.problems.isEmpty)
      // The cards of a new factory have the votes at once.
      let later = MessageCardViewModelFactory(for: stage.chat, registry: registry)
      #expect(poll(on: later.card(for: message))?.votes == ["Tea": 1, "Coffee": 1])
    }
  }

  private func poll(on card: MessageCardViewModel) -> SkeinExamples.PollComponent? {
    card.components.compactMap { $0 as? SkeinExamples.PollComponent }.first
  }
}
