import Skein
import SkeinCards
import Testing

@Suite("Moments in a chat")
struct MomentTests {
  private let moment = MomentContent(.init(rawValue: "m1"), by: "carol", text: "Snow!")

  @Test(
    "A like is sent once, and counted wherever the moment stands: on its own, and above what is said to it")
  func likes() async throws {
    try await CardStage.run { stage in
      let cards = MessageCardViewModelFactory(for: stage.chat, registry: .standard)
      let own = try await stage.receive(moment)
      let comment = try await stage.receive(MomentCommentContent(TextContent("Where?"), to: moment))
      let other = try await stage.receive(MomentContent(.init(rawValue: "m2"), by: "carol", text: "Rain"))
      let before = cards.card(for: comment)
      #expect(before.components.map(\.id) == ["moment", "text"])
      #expect([own, comment, other].map { component(on: cards.card(for: $0))?.likes } == [0, 0, 0])

      try await draw(cards, in: stage, likes: stage.receive(MomentLikeContent(moment.moment)))
      await cards.perform(MomentPlugin.like, of: "moment", on: before)?.value
      try await draw(cards, in: stage, likes: nil)
      #expect([own, comment, other].map { component(on: cards.card(for: $0))?.likes } == [2, 2, 0])
      #expect(component(on: cards.card(for: own))?.isLiked == true)

      #expect(cards.perform(MomentPlugin.like, of: "moment", on: cards.card(for: own)) == nil)
      #expect(cards.problems.map(\.code) == [.actionUnknown])
    }
  }

  @Test("What is said to a moment leaves the moment's picture out, and is found by its words")
  func comment() {
    let picture = MessageAttachment.remote(RemoteMedia(id: "p", size: 3, type: "image/png"))
    let shown = MomentContent(moment.moment, by: "carol", text: "Snow!", picture: picture)
    let comment = MomentCommentContent(TextContent("Where?"), to: shown)
    #expect(comment.moment.picture == nil)
    #expect(comment.searchableText == "Where?" && comment.displayedText == "Where?")
  }

  /// Draws the likes that are there, as a list would, once there is a given one or one's own.
  private func draw(
    _ cards: MessageCardViewModelFactory, in stage: CardStage, likes awaited: ChatMessage?
  ) async throws {
    for await update in stage.chat.changes {
      let likes = update.snapshot.compactMap(\.message).filter { $0.kind == MomentLikeContent.kind }
      guard likes.contains(where: { awaited.map { $0.id } == $0.id || awaited == nil && $0.isOwn }) else {
        continue
      }
      for like in likes { _ = cards.card(for: like) }
      break
    }
  }

  private func component(on card: MessageCardViewModel) -> MomentComponent? {
    card.components.compactMap { $0 as? MomentComponent }.first
  }
}
