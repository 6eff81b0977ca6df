import Testing

@Suite("Files are short, finished and free of local paths")
struct TextRuleTests {
  private func lines(_ text: String, path: String = "Sources/Skein/A.swift") -> [Int] {
    TextRule.violations(in: SourceFile(path: path, text: text)).map(\.line)
  }

  @Test("A file of up to 500 lines passes, and a longer file is reported")
  func limitsLength() {
    let longest = String(repeating: "let a = 1\n", count: 500)
    #expect(lines(longest).isEmpty)
    #expect(lines(longest + "let b = 2") == [501])
  }

  @Test("Marks of unfinished work are reported, in tests too", arguments: ["TODO", "FIXME", "XXX"])
  func refusesUnfinished(_ mark: String) {
    #expect(lines("let a = 1 // \(mark): more") == [1])
    #expect(lines("\n/* \(mark) */", path: "Tests/SkeinTests/A.swift") == [2])
    #expect(lines("// The \(mark)S list\nlet a = \"\(mark)\"").isEmpty)
  }

  @Test("Local paths are reported in code and comments", arguments: ["work", "root", "tmp", "home"])
  func refusesMachinePaths(_ folder: String) {
    #expect(lines("let a = \"/\(folder)/a\"") == [1])
    #expect(lines("\n/// See /\(folder)/a.") == [2])
    #expect(lines("let a = \"https://example.org/\(folder)/a\"").isEmpty)
    #expect(lines("let a = \"\\(base)/\(folder)/a\"").isEmpty)
  }

  @Test("Documents may name a temporary folder, but no home folder")
  func checksDocuments() {
    #expect(TextRule.violations(inDocument: "README.md", text: "skein serve --data /tmp/demo").isEmpty)
    #expect(TextRule.violations(inDocument: "README.md", text: "\ncd /home/ann").map(\.line) == [2])
  }

  @Test("A comment that mentions its author is reported")
  func refusesMaking() {
    #expect(lines("// Left to another agent.") == [1])
    #expect(lines("// As agreed in the working session.") == [1])
    #expect(lines("// The user agent, and the sign-in session.").isEmpty)
    #expect(lines("let agents = 1").isEmpty)
  }
}
