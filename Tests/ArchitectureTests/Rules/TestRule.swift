/// Tests wait for conditions and always run: they neither sleep nor skip.
enum TestRule {
  private static let refused: [(code: [String], instead: String)] = [
    (
      ["Task.sleep(", "Thread.sleep(", "usleep(", "nanosleep(", "ContinuousClock().sleep("],
      "wait on the condition itself (a stream, a continuation, a published change) or turn a virtual clock."
    ),
    (
      [".disabled(", ".enabled(if:", "withKnownIssue", "XCTSkip", "Test.cancel("],
      "a test that may not run proves nothing: mend what it tests, or take it out."
    ),
  ]

  static func violations(in file: SourceFile) -> [Violation] {
    guard file.isInTests else { return [] }
    let found = refused.flatMap { rule in
      rule.code.flatMap { code in
        Pattern(code).lines(in: file.tokens).map { (line: $0, code: code, instead: rule.instead) }
      }
    }
    let sleeps = freeSleeps(in: file.tokens).map { (line: $0, code: "sleep(", instead: refused[0].instead) }
    return (found + sleeps).map {
      Violation(path: file.path, line: $0.line, message: "no \($0.code) in tests: \($0.instead)")
    }
  }

  /// The lines that call the C function `sleep`. Methods like `runtime.sleep(until:)` are allowed, and so are
  /// declarations.
  private static func freeSleeps(in tokens: [Token]) -> [Int] {
    let pattern = Pattern("sleep(")
    return tokens.indices.filter { index in
      pattern.matches(tokens, at: index) && (index == 0 || ![".", "func"].contains(tokens[index - 1].text))
    }.map { tokens[$0].line }
  }
}
