import Skein
import SkeinCards
import SkeinExamples
import SkeinWeb
import Testing

@Suite("A kind of one's own, in one file")
struct PollTests {
  @Test("A poll's votes are counted as they come: of each person the last")
  func votes() async throws {
    try await CardStage.run(kinds: [SkeinExamples.Poll.self, PollVote.self]) { stage in
      var registry = CardRegistry.standard
      registry.register(SkeinExamples.PollPlugin.self)
      let cards = MessageCardViewModelFactory(for: stage.chat, registry: registry)
      let message = try await stage.send(SkeinExamples.Poll("What?", answers: ["Tea", "Coffee"]))
      #expect(poll(on: cards.card(for: message))?.votes == [:])

      try await stage.receive(PollVote("Tea", to: message.messageID))
      #expect(try await counted(in: stage, cards, message, of: 1) == ["Tea": 1])
      await cards.perform("vote", of: "poll", on: cards.card(for: message), value: "Tea")?.value
      #expect(try await counted(in: stage, cards, message, of: 2) == ["Tea": 2])
      try await stage.receive(PollVote("Coffee", to: message.messageID))
      #expect(try await counted(in: stage, cards, message, of: 3) == ["Tea": 1, "Coffee": 1])
      try await stage.receive(PollVote("Cocoa", to: message.messageID))
      #expect(try await counted(in: stage, cards, message, of: 4) == ["Tea": 1, "Coffee": 1])
      #expect(cards.problems.isEmpty)
    }
  }

  /// What the poll's card shows once every vote's card was drawn.
  private func counted(
    in stage: CardStage, _ cards: MessageCardViewModelFactory, _ message: ChatMessage, of all: Int
  ) async throws -> [String: Int]? {
    for await update in stage.chat.changes {
      let votes = update.snapshot.compactMap(\.message).filter { $0.kind == PollVote.kind }
      guard votes.count == all else { continue }
      for vote in votes { _ = cards.card(for: vote) }
      break
    }
    return poll(on: cards.card(for: message))?.votes
  }

  private func poll(on card: MessageCardViewModel) -> SkeinExamples.PollComponent? {
    card.components.compactMap { $0 as? SkeinExamples.PollComponent }.first
  }
}
