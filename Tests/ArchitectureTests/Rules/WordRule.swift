/// Comments and documents are in plain English: no sentence begins with *What*, *Who* or *Whoever*, and
/// comments have no quaint phrases.
enum WordRule {
  /// The maximum number of sentences in comments that begin with one of `pronouns`. Never raise the limit.
  static let openingLimit = 0
  /// The maximum number of sentences in documents that begin with one of `pronouns`. Never raise the limit.
  static let documentLimit = 0

  private static let pronouns: Set<Substring> = ["What", "Who", "Whoever"]
  private static let phrases = [("of", "before"), ("so", "manieth")]

  /// The sentences in comments that begin with one of `pronouns`, recognised by the capital letter.
  static func openings(in file: SourceFile) -> [Violation] {
    openings(in: file.commentLines, of: file.path)
  }

  /// The sentences of a Markdown document, outside blocks of code, that begin with one of `pronouns`.
  static func openings(inDocument path: String, text: String) -> [Violation] {
    var isCode = false
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line -> Substring in
      let isFence = line.hasPrefix("```")
      if isFence { isCode.toggle() }
      return isCode || isFence ? "" : line
    }
    return openings(in: lines, of: path)
  }

  private static func openings(in lines: [Substring], of path: String) -> [Violation] {
    words(in: lines).filter { pronouns.contains($0.text.prefix(while: \.isLetter)) }.map {
      Violation(path: path, line: $0.line, message: "a sentence begins with \($0.text): begin with a noun.")
    }
  }

  /// The quaint phrases in a file, literals included, also across a line break.
  static func phrases(in file: SourceFile) -> [Violation] {
    let words = words(in: file.lines)
    return zip(words, words.dropFirst()).flatMap { first, second in
      phrases.filter { phrase in
        first.text.suffix(phrase.0.count).lowercased() == phrase.0
          && !(first.text.dropLast(phrase.0.count).last?.isLetter ?? false)
          && second.text.prefix(while: \.isLetter).lowercased() == phrase.1
      }.map {
        Violation(
          path: file.path, line: first.line,
          message: "\"\($0.0) \($0.1)\": write the term of the field, such as *previous epoch*.")
      }
    }
  }

  /// The words between spaces, without the slashes of comments.
  private static func words(in lines: [Substring]) -> [(text: Substring, line: Int)] {
    lines.enumerated().flatMap { index, line in
      line.split(separator: " ").filter { !$0.allSatisfy { $0 == "/" } }.map { (text: $0, line: index + 1) }
    }
  }
}
