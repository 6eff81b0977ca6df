import Testing

@Suite("Comments and documents are in plain words")
struct WordRuleTests {
  private func openings(_ text: String) -> [Int] {
    WordRule.openings(in: SourceFile(path: "Sources/Skein/A.swift", text: text)).map(\.line)
  }

  private func phrases(_ text: String) -> [Int] {
    WordRule.phrases(in: SourceFile(path: "Sources/Skein/A.swift", text: text)).map(\.line)
  }

  @Test(
    "A sentence that begins with What, Who or Whoever is reported",
    arguments: ["What", "Who", "Whoever", "What's"])
  func reportsOpenings(_ word: String) {
    #expect(openings("\n/// \(word) is stored.") == [2])
    #expect(openings("let a = 1 // Stored. \(word) else.") == [1])
    #expect(openings("/// - Throws: \(word) it throws.\n/// \(word) else.") == [1, 2])
  }

  @Test(
    "A pronoun such as What is allowed inside a sentence, in code and in a literal",
    arguments: ["/// Stores what is new.", "let a = What()", "let a = \"What now?\"", "/// Whole, `What`."])
  func passesOthers(_ text: String) {
    #expect(openings(text).isEmpty)
  }

  @Test("Documents are read without their blocks of code")
  func reportsDocuments() {
    let text = "# A\n\n```swift\n// What now?\n```\nStored. What else.\n| Who | when |"
    #expect(WordRule.openings(inDocument: "A.md", text: text).map(\.line) == [6, 7])
  }

  @Test("Quaint phrases are reported in comments and literals, also across lines")
  func reportsPhrases() {
    #expect(phrases("/// The rows \("of") before.") == [1])
    #expect(phrases("\n/// The rows \("of")\n/// before are kept.") == [2])
    #expect(phrases("@Test(\"\("So") manieth\")") == [1])
    #expect(phrases("/// A proof before the end, of the one before.").isEmpty)
  }

  @Test("A tally has the number of violations in each module, the highest number first")
  func tally() {
    let paths = ["Sources/A/B.swift", "Tests/C/D/E.swift", "Examples/F.swift", "Tests/C/G.swift"]
    let tally = Tally(violations: paths.map { Violation(path: $0, line: 1, message: "m") })
    #expect(tally.description.hasPrefix("4 in all: C 2, A 1, Examples 1\nSources/A/B.swift:1: m\n"))
  }
}
