/// The names that a file declares as sets or dictionaries, found without type information.
///
/// Sets returned by functions or declared in other files are not found.
struct UnorderedNames {
  private let names: Set<String>

  init(in tokens: [Token]) {
    names = Set(
      tokens.indices.compactMap { index in
        guard tokens[index].text == "let" || tokens[index].text == "var", index + 3 < tokens.count,
          tokens[index + 2].text == ":" || tokens[index + 2].text == "=",
          UnorderedNames.isUnordered(tokens[(index + 3)...])
        else { return nil }
        return tokens[index + 1].text
      })
  }

  /// Whether `Set<…>`, `Set(`, `[Key: Value]`, `[:]` or `Dictionary` starts at the first token.
  private static func isUnordered(_ tokens: ArraySlice<Token>) -> Bool {
    guard let first = tokens.first else { return false }
    if first.text == "Set" || first.text == "Dictionary" { return true }
    guard first.text == "[" else { return false }
    var depth = 0
    for token in tokens {
      switch token.text {
      case "[", "(", "{": depth += 1
      case "]", ")", "}":
        depth -= 1
        if depth == 0 { return false }
      case ":" where depth == 1: return true
      default: continue
      }
    }
    return false
  }

  /// The sequence of the `for` loop at `index`; nil if there is no loop.
  static func loopedSequence(in tokens: [Token], at index: Int) -> ArraySlice<Token>? {
    guard tokens[index].text == "for", index + 1 < tokens.count, tokens[index + 1].text != ":" else {
      return nil
    }
    var depth = 0
    var start: Int?
    for position in (index + 1)..<tokens.count {
      switch tokens[position].text {
      case "(", "[": depth += 1
      case ")", "]":
        depth -= 1
        if depth < 0 { return nil }
      case "in" where depth == 0 && start == nil: start = position + 1
      case "{" where depth == 0, "where" where depth == 0:
        return start.map { tokens[$0..<position] }
      default: continue
      }
    }
    return nil
  }

  /// Whether the order of `sequence` depends on hashing.
  func orders(_ sequence: ArraySlice<Token>) -> Bool {
    let texts = sequence.map(\.text)
    if texts.contains("sorted") { return false }
    let name = texts.first == "self" ? Array(texts.dropFirst(2)) : texts
    if name.count == 1, names.contains(name[0]) { return true }
    return texts.indices.contains { index in
      let next = index + 1 < texts.count ? texts[index + 1] : ""
      switch texts[index] {
      case "values", "keys": return index > 0 && texts[index - 1] == "." && next != "("
      case "Set": return next == "(" || next == "<"
      default: return false
      }
    }
  }
}
