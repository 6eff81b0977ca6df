import Skein
import SkeinCards
import SkeinExamples

extension KindRegistry {
  /// What the command's front ends can read: Skein's own kinds, its cards', and the examples'.
  static var command: KindRegistry {
    var kinds = KindRegistry.withCards
    kinds.register(Poll.self)
    kinds.register(PollVote.self)
    kinds.register(Offer.self)
    return kinds
  }
}

extension CardRegistry {
  /// What the command's front ends can draw.
  static var command: CardRegistry {
    var cards = CardRegistry.standard
    cards.register(PollPlugin.self)
    cards.register(OfferPlugin.self)
    return cards
  }
}
