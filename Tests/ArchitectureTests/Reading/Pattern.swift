/// A piece of Swift to search for, compared token by token, ignoring white space and generic arguments.
struct Pattern: Sendable {
  private let texts: [String]

  /// Parses a pattern written as in a source file, such as `Task.sleep`.
  init(_ code: String) {
    texts = Token.tokens(in: code.utf8).map(\.text)
  }

  /// The lines where the pattern matches, ascending.
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

  /// The index after the `>` that closes the `<` at `start`, or `start` if the `<` is a comparison.
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
