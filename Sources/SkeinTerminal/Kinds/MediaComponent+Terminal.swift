public import SkeinCards

extension MediaComponent: TerminalComponent {
  /// What it is, and its size in pixels.
  public var terminalLines: [TerminalLine] {
    let pixels = size.map { "  \($0.width) × \($0.height)" } ?? ""
    return [TerminalLine(displayedText + pixels)]
  }
}

extension FileComponent: TerminalComponent {
  /// The file's name and size.
  public var terminalLines: [TerminalLine] {
    [TerminalLine([name, sizeText].compactMap(\.self).joined(separator: "  "))]
  }
}

extension AudioComponent: TerminalComponent {
  /// That it is audio, and how long.
  public var terminalLines: [TerminalLine] {
    [TerminalLine([displayedText, lengthText].compactMap(\.self).joined(separator: "  "))]
  }
  /// Nothing: a terminal plays no sound.
  public var terminalActions: [CardAction] { [] }
}

extension LocationComponent: TerminalComponent {
  /// The place's name and coordinates.
  public var terminalLines: [TerminalLine] { [TerminalLine("\(displayedText)  \(latitude), \(longitude)")] }
}
