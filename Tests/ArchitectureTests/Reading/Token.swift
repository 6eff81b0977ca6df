/// A word or a punctuation mark of Swift code.
struct Token: Equatable {
  /// The word, or the one mark.
  let text: String
  /// The line it stands in, from 1.
  let line: Int
  /// Whether nothing stands between it and the token before.
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

  /// Splits code whose comments and text are already blank.
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

/// A piece of Swift to look for, compared word by word: spaces, line breaks and generic arguments don't matter.
struct Pattern: Sendable {
  private let texts: [String]

  /// `code` is written as it would stand in a source file, such as `Task.sleep`.
  init(_ code: String) {
    texts = Token.tokens(in: code.utf8).map(\.text)
  }

  /// The lines where it starts, ascending.
  func lines(in tokens: [Token]) -> [Int] {
    tokens.indices.filter { matches(tokens, at: $0) }.map { tokens[$0].line }
  }

  func matches(_ tokens: [Token], at start: Int) -> Bool {
    var index = start
    for text in texts {
      if index > start, index < tokens.count, tokens[index].text == "<", text != "<" {
        index = Pattern.endOfGenericArguments(in: tokens, from: index)
      }
      guard index < tokens.count, tokens[index].text == text else { return false }
      index += 1
    }
    return true
  }

  /// The index after the `>` that closes the `<` at `start`, or `start` when that is a comparison.
  static func endOfGenericArguments(in tokens: [Token], from start: Int) -> Int {
    var depth = 0
    for index in start..<tokens.count {
      switch tokens[index].text {
      case "<": depth += 1
      case ">":
        if tokens[index - 1].text == "-" { continue }
        depth -= 1
        if depth == 0 { return index + 1 }
      case ".", ",", "?", ":", "[", "]", "&", "-", "@", "(", ")": continue
      default:
        if !tokens[index].isWord { return start }
      }
    }
    return start
  }
}
