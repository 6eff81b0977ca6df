public import SkeinCards

extension MessageCardViewModel {
  /// The lines of the card's components; a component that is not a ``TerminalComponent`` has the lines of its text.
  /// There is at least one line.
  public var terminalLines: [TerminalLine] {
    let lines = components.flatMap(\.writtenLines)
    return lines.isEmpty ? TerminalLine.lines(of: displayedText) : lines
  }

  /// The enabled actions available at a terminal, from top to bottom.
  public var terminalOffers: [TerminalOffer] {
    components.flatMap { component in
      component.terminalOffers.map { TerminalOffer(card: self, component: $0.id, action: $0.action) }
    }
  }
}

/// An action of a card that is available at a terminal.
public struct TerminalOffer: Sendable, Hashable {
  /// The card at the time the action was listed.
  public let card: MessageCardViewModel
  /// The component that offers the action.
  public let component: ComponentID
  /// The action.
  public let action: CardAction
}

extension CardComponent {
  var writtenLines: [TerminalLine] {
    (self as? any TerminalComponent)?.terminalLines ?? TerminalLine.lines(of: displayedText)
  }

  /// The enabled actions that the component and its contained components offer at a terminal.
  var terminalOffers: [(id: ComponentID, action: CardAction)] {
    let own = (self as? any TerminalComponent)?.terminalActions ?? actions
    return own.filter(\.isEnabled).map { (id, $0) } + components.flatMap(\.terminalOffers)
  }
}
