import Skein
import SkeinCards
import SkeinExamples

extension KindRegistry {
  /// The kinds that the command's clients can decode: the kinds of Skein, of SkeinCards, and of the examples.
  static var command: KindRegistry {
    var kinds = KindRegistry.withCards
    kinds.register(Poll.self)
    kinds.register(PollVote.self)
    kinds.register(Offer.self)
    return kinds
  }
}

extension CardRegistry {
  /// The cards that the command's clients can draw: those of SkeinCards and of the examples.
  static var command: CardRegistry {
    var cards = CardRegistry.standard
    cards.register(PollPlugin.self)
    cards.register(OfferPlugin.self)
    return cards
  }
}
