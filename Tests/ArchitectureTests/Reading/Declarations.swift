/// The names that a file declares, found by the keywords before them.
struct Declarations: Sendable {
  /// Types at file scope that other files see.
  private(set) var types: Set<String> = []
  /// Members of extensions that other files see, nested types included.
  private(set) var extensionMembers: Set<String> = []
  /// Every declared name, at any depth and of any visibility.
  private(set) var all: Set<String> = []

  private static let typeKeywords: Set<String> = [
    "struct", "class", "enum", "actor", "protocol", "typealias",
  ]
  private static let memberKeywords = typeKeywords.union(["func", "var", "let", "case"])
  private static let hidden: Set<String> = ["private", "fileprivate"]

  init(in tokens: [Token]) {
    var depth = 0
    // Whether the braces at file scope belong to an extension that other files see.
    var isInOpenExtension = false
    for (index, token) in tokens.enumerated() {
      switch token.text {
      case "{": depth += 1
      case "}": depth -= 1
      case "extension" where depth == 0:
        isInOpenExtension = !Self.isHidden(at: index, in: tokens)
      case _ where Self.memberKeywords.contains(token.text):
        let names = Self.names(after: index, in: tokens)
        all.formUnion(names)
        let isType = Self.typeKeywords.contains(token.text)
        if depth == 0, isType { isInOpenExtension = false }
        guard !Self.isHidden(at: index, in: tokens) else { continue }
        if depth == 0, isType { types.formUnion(names) }
        if depth == 1, isInOpenExtension { extensionMembers.formUnion(names) }
      default: continue
      }
    }
  }

  /// The declared names: one, or several in `case a, b`.
  private static func names(after index: Int, in tokens: [Token]) -> [String] {
    guard index + 1 < tokens.count, tokens[index + 1].isWord, index == 0 || tokens[index - 1].text != "."
    else { return [] }
    // `class func` and `class var`: the second keyword declares the name.
    guard !memberKeywords.contains(tokens[index + 1].text) else { return [] }
    var names = [tokens[index + 1].text]
    var next = index + 2
    while tokens[index].text == "case", next + 1 < tokens.count, tokens[next].text == ",",
      tokens[next + 1].isWord
    {
      names.append(tokens[next + 1].text)
      next += 2
    }
    return names
  }

  /// Whether `private` or `fileprivate` is among the modifiers of the declaration at `index`.
  private static func isHidden(at index: Int, in tokens: [Token]) -> Bool {
    var index = index - 1
    while index >= 0, tokens[index].isWord || "()@".contains(tokens[index].text) {
      // `private(set)` hides the setter only.
      let isSetter = index + 1 < tokens.count && tokens[index + 1].text == "("
      if hidden.contains(tokens[index].text), !isSetter { return true }
      guard tokens[index].line == tokens[index + 1].line else { return false }
      index -= 1
    }
    return false
  }
}
