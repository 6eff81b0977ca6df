/// A word or punctuation mark of Swift code.
struct Token: Equatable {
  /// The word or mark.
  let text: String
  /// The line, from 1.
  let line: Int
  /// Whether it directly follows the token before.
  let isGlued: Bool

  /// Whether it is an identifier, a keyword or a number.
  var isWord: Bool { text.utf8.first.map(Token.isWordByte) ?? false }

  static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...0xFF:
      true
    default: false
    }
  }

  /// Splits code whose comments and literals are blanked.
  static func tokens(in code: some Sequence<UInt8>) -> [Token] {
    var tokens: [Token] = []
    var word: [UInt8] = []
    var line = 1
    var isGlued = false
    func endWord() {
      guard !word.isEmpty else { return }
      tokens.append(Token(text: String(decoding: word, as: UTF8.self), line: line, isGlued: isGlued))
      word = []
      isGlued = true
    }
    for byte in code {
      if isWordByte(byte) {
        word.append(byte)
        continue
      }
      endWord()
      if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") {
        isGlued = false
        if byte == UInt8(ascii: "\n") { line += 1 }
      } else {
        tokens.append(Token(text: String(decoding: [byte], as: UTF8.self), line: line, isGlued: isGlued))
        isGlued = true
      }
    }
    endWord()
    return tokens
  }
}
