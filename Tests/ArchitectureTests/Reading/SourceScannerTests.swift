import Testing

@Suite("Separating code, comments and literals")
struct SourceScannerTests {
  private func words(_ text: String) -> [String] {
    Token.tokens(in: SourceScanner(text).code).filter(\.isWord).map(\.text)
  }

  private func comments(_ text: String) -> String {
    String(decoding: SourceScanner(text).comments, as: UTF8.self)
  }

  @Test("Comments, including nested comments, are not code")
  func blanksComments() {
    #expect(words("a // b\nc /* d /* e */ f */ g") == ["a", "c", "g"])
    #expect(words("a /* never closed") == ["a"])
  }

  @Test("Comments are found, and nothing else")
  func findsComments() {
    #expect(comments("let a = \"// no\" // yes") == String(repeating: " ", count: 16) + "// yes")
    #expect(comments("/* a\nb */ c") == "/* a\nb */  ")
  }

  @Test("String literals are not code")
  func blanksStrings() {
    #expect(words(#"f("a \" b") + c"#) == ["f", "c"])
    #expect(words(#"f("a\\") + c"#) == ["f", "c"])
    #expect(words("f(\"\"\"\n  a \"b\" // c\n  \"\"\") + d") == ["f", "d"])
    #expect(words("f(\"\") + c") == ["f", "c"])
  }

  @Test("Raw string literals are not code")
  func blanksRawStrings() {
    #expect(words(##"f(#"a " \(b) \" c"#) + d"##) == ["f", "d"])
    #expect(words("f(#\"\"\"\n a \"\"\" b\n\"\"\"#) + c") == ["f", "c"])
  }

  @Test("Interpolations are code")
  func keepsInterpolation() {
    #expect(words(#"f("a \(b(c, "d \(e) g")) h") + i"#) == ["f", "b", "c", "e", "i"])
    #expect(words(##"f(#"a \#(b) c"#)"##) == ["f", "b"])
  }

  @Test("Regex literals are not code, and a division is not a regex")
  func blanksRegexes() {
    #expect(words(#"let a = /b"c\/d/ + e"#) == ["let", "a", "e"])
    #expect(words("let a = #/b \" c/# + d") == ["let", "a", "d"])
    #expect(words("let a = b / c / d") == ["let", "a", "b", "c", "d"])
    #expect(words("reduce(0, /) + \"a/b\".count") == ["reduce", "0", "count"])
  }

  @Test("Unterminated literals and comments do not crash the scanner, and the result is as long as the text")
  func survivesBrokenFiles() {
    for text in [
      "\"", "\"\"\"", "#\"", "\"\\", "\"\\(", "/*", "#", "/", "f(\"\\(a", "#/", "= /a\\", "\"\\(a\"",
    ] {
      let scanner = SourceScanner(text)
      #expect(scanner.code.count == text.utf8.count)
    }
  }

  @Test("Lines and columns are kept")
  func keepsPlaces() {
    let text = "let 名 = \"名\" // 名\nlet b = 1\n"
    let scanner = SourceScanner(text)
    #expect(scanner.code.count == text.utf8.count)
    #expect(Token.tokens(in: scanner.code).last?.line == 2)
  }

  @Test(
    "A pattern matches with any spacing and any generic arguments",
    arguments: ["Task {", "Task{", "Task\n{", "Task<Void, Never> {", "Task<[String: Int], any Error>{"])
  func matchesPatterns(_ code: String) {
    #expect(Pattern("Task {").lines(in: Token.tokens(in: code.utf8)) == [1])
  }

  @Test(
    "A pattern matches neither parts of words nor code that has only a part of the pattern",
    arguments: ["addTask {", "Tasks {", "Task<Void, Never>?", "a < Task"])
  func matchesWholeWords(_ code: String) {
    #expect(Pattern("Task {").lines(in: Token.tokens(in: code.utf8)).isEmpty)
  }
}
