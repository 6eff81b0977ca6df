/// The line that is being typed on a terminal that delivers each key at once.
///
/// A state machine: it takes the bytes of the keys and returns the steps to carry out.
struct LineEditor: Sendable, Equatable {
  /// The result of a key.
  enum Step: Sendable, Equatable {
    /// Return was pressed on this line.
    case line(String)
    /// Ctrl-D was pressed on an empty line.
    case end
  }
  private enum Escape { case none, began, inSequence }

  /// The text typed so far.
  private(set) var text = ""
  /// The first bytes of a character that is not complete yet.
  private var partial: [UInt8] = []
  private var escape = Escape.none

  /// Applies the bytes of one or more keys.
  mutating func enter(_ bytes: [UInt8]) -> [Step] { bytes.compactMap { enter($0) } }

  private mutating func enter(_ byte: UInt8) -> Step? {
    if skipsEscape(byte) { return nil }
    switch byte {
    case 0x0A, 0x0D:
      defer { text = "" }
      return .line(text)
    case 0x04: return text.isEmpty ? .end : nil
    case 0x08, 0x7F: if !text.isEmpty { text.removeLast() }
    case 0x15: text = ""
    case 0x17: eraseWord()
    case 0x09: text.append(" ")
    case 0x1B: escape = .began
    case 0x00..<0x20: break
    default: add(byte)
    }
    return nil
  }

  /// Skips the sequences of arrow and function keys, which begin with ESC.
  private mutating func skipsEscape(_ byte: UInt8) -> Bool {
    switch escape {
    case .none: return false
    case .began:
      escape = byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") ? .inSequence : .none
    case .inSequence:
      if (0x40...0x7E).contains(byte) { escape = .none }
    }
    return true
  }

  private mutating func eraseWord() {
    while text.last?.isWhitespace == true { text.removeLast() }
    while let last = text.last, !last.isWhitespace { text.removeLast() }
  }

  private mutating func add(_ byte: UInt8) {
    // If this byte begins a new character, an incomplete character before this byte is discarded.
    if byte & 0b1100_0000 != 0b1000_0000 { partial = [] }
    partial.append(byte)
    if let whole = String(validating: partial, as: UTF8.self) {
      // The control characters from U+0080 to U+009F, which have two bytes.
      let isControl = whole.unicodeScalars.contains { $0.properties.generalCategory == .control }
      if !isControl { text += whole }
      partial = []
    } else if partial.count >= 4 {
      partial = []
    }
  }
}
