public import SkeinCards

extension MediaComponent: TerminalComponent {
  /// The description and the size in pixels.
  public var terminalLines: [TerminalLine] {
    let pixels = size.map { "  \($0.width) × \($0.height)" } ?? ""
    return [TerminalLine(displayedText + pixels)]
  }
}

extension FileComponent: TerminalComponent {
  /// Name and size.
  public var terminalLines: [TerminalLine] {
    [TerminalLine([name, sizeText].compactMap(\.self).joined(separator: "  "))]
  }
}

extension AudioComponent: TerminalComponent {
  /// The description and the duration.
  public var terminalLines: [TerminalLine] {
    [TerminalLine([displayedText, lengthText].compactMap(\.self).joined(separator: "  "))]
  }
  /// None: a terminal plays no sound.
  public var terminalActions: [CardAction] { [] }
}

extension LocationComponent: TerminalComponent {
  /// Name and coordinates.
  public var terminalLines: [TerminalLine] { [TerminalLine("\(displayedText)  \(latitude), \(longitude)")] }
}
