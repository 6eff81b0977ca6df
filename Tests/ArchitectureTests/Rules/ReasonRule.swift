/// Code that disables a check of the compiler or can end the process has a reason in a comment directly
/// above.
enum ReasonRule {
  private static let needsReason = [
    "@unchecked Sendable", "nonisolated(unsafe)", "fatalError(", "precondition(", "preconditionFailure(",
    "try!",
    "as!",
  ]

  static func violations(in file: SourceFile) -> [Violation] {
    guard file.isInSources else { return [] }
    let found = needsReason.flatMap { code in
      Pattern(code).lines(in: file.tokens).map { (line: $0, code: code) }
    }
    let unwraps = forcedUnwraps(in: file.tokens).map { (line: $0, code: "a forced unwrap") }
    return (found + unwraps).filter { !isReason(file.reason(above: $0.line)) }.map {
      Violation(
        path: file.path, line: $0.line,
        message:
          "\($0.code) needs a reason: throw or return instead, or say in a // comment on the line directly "
          + "above why it is safe.")
    } + ignoresWithoutReason(in: file)
  }

  /// A directive to the formatter has its reason in the same comment block.
  private static func ignoresWithoutReason(in file: SourceFile) -> [Violation] {
    file.lines.indices.compactMap { index in
      guard let comment = file.wholeLineComment(at: index), comment.hasPrefix("swift-format-ignore") else {
        return nil
      }
      var next = index + 1
      while next < file.lines.count, file.wholeLineComment(at: next) != nil { next += 1 }
      guard !isReason(file.reason(above: next + 1)) else { return nil }
      return Violation(
        path: file.path, line: index + 1,
        message:
          "swift-format-ignore needs a reason in the same comment block; better is code that needs none.")
    }
  }

  /// Whether a comment has at least two words and is no heading.
  private static func isReason(_ comment: String) -> Bool {
    !comment.hasPrefix("MARK:") && comment.split(separator: " ").count >= 2
  }

  /// The lines in which `!` directly follows a value or type.
  private static func forcedUnwraps(in tokens: [Token]) -> [Int] {
    tokens.indices.dropFirst().compactMap { index in
      guard tokens[index].text == "!", tokens[index].isGlued else { return nil }
      let before = tokens[index - 1]
      guard before.isWord || [")", "]", "}", ">", "\"", "`"].contains(before.text),
        before.text != "try", before.text != "as"
      else { return nil }
      if index + 1 < tokens.count, tokens[index + 1].text == "=", tokens[index + 1].isGlued { return nil }
      return tokens[index].line
    }
  }
}
