public import SkeinCards

extension MessageCardViewModel {
  /// The card as it stands on a terminal: each component as it writes itself, or its text. At least one line.
  public var terminalLines: [TerminalLine] {
    let lines = components.flatMap(\.writtenLines)
    return lines.isEmpty ? TerminalLine.lines(of: displayedText) : lines
  }

  /// What a person at a terminal can do with the card now, from the top down.
  public var terminalOffers: [TerminalOffer] {
    components.flatMap { component in
      component.terminalOffers.map { TerminalOffer(card: self, component: $0.id, action: $0.action) }
    }
  }
}

/// Something that a person at a terminal can do with a card.
public struct TerminalOffer: Sendable, Hashable {
  /// The card as it was when it was looked at.
  public let card: MessageCardViewModel
  /// The component that offers it.
  public let component: ComponentID
  /// What is done.
  public let action: CardAction
}

extension CardComponent {
  var writtenLines: [TerminalLine] {
    (self as? any TerminalComponent)?.terminalLines ?? TerminalLine.lines(of: displayedText)
  }

  /// What it offers itself, and what it contains does.
  var terminalOffers: [(id: ComponentID, action: CardAction)] {
    let own = (self as? any TerminalComponent)?.terminalActions ?? actions
    return own.filter(\.isEnabled).map { (id, $0) } + components.flatMap(\.terminalOffers)
  }
}
