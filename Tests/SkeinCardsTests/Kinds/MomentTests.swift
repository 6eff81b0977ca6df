import Skein
import SkeinCards
import Testing

@Suite("Moments in a chat")
struct MomentTests {
  private let moment = MomentContent(.init(rawValue: "m1"), by: "carol", text: "Snow!")

  @Test(
    "A like is sent once, and counted on its moment until the like is deleted",
    .timeLimit(.minutes(1)))
  func likes() async throws {
    try await CardStage.run { stage in
      let cards = MessageCardViewModelFactory(for: stage.chat, registry: .standard)
      let own = try await stage.receive(moment)
      let other = try await stage.receive(MomentContent(.init(rawValue: "m2"), by: "carol", text: "Rain"))
      let counts = { [own, other].map { component(on: cards.card(for: $0))?.likes?.count } }
      #expect(counts() == [0, 0])
      try await stage.receive(MomentLikeContent(moment.moment))
      try await cards.reload(until: { counts() == [1, 0] })
      await cards.perform(MomentPlugin.like, of: "moment", on: cards.card(for: own))?.value
      try await cards.reload(until: { counts() == [2, 0] })
      #expect(component(on: cards.card(for: own))?.likes?.isOwn == true)
      #expect(cards.perform(MomentPlugin.like, of: "moment", on: cards.card(for: own)) == nil)
      #expect(cards.problems.map(\.code) == [.actionUnknown])

      let mine = try #require(stage.chat.messages.compactMap(\.message).last { $0.isOwn })
      try await stage.chat.delete([mine.id])
      try await cards.reload(until: { counts() == [1, 0] })
    }
  }

  @Test("A comment shows its moment, which can't be liked there")
  func above() async throws {
    try await CardStage.run { stage in
      let cards = MessageCardViewModelFactory(for: stage.chat, registry: .standard)
      let card = cards.card(
        for: try await stage.receive(MomentCommentContent(TextContent("Where?"), to: moment)))
      #expect(card.components.map(\.id) == ["moment", "text"])
      #expect(component(on: card)?.likes == nil && card.actions(of: "moment").isEmpty)
    }
  }

  @Test("A comment omits the moment's picture and is searchable by its text")
  func comment() {
    let picture = MessageAttachment.remote(RemoteMedia(id: "p", size: 3, type: "image/png"))
    let shown = MomentContent(moment.moment, by: "carol", text: "Snow!", picture: picture)
    let comment = MomentCommentContent(TextContent("Where?"), to: shown)
    #expect(comment.moment.picture == nil)
    #expect(comment.searchableText == "Where?" && comment.displayedText == "Where?")
  }

  private func component(on card: MessageCardViewModel) -> MomentComponent? {
    card.components.compactMap { $0 as? MomentComponent }.first
  }
}
