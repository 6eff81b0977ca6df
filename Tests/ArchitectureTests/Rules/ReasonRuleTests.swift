import Testing

@Suite("Code that can trap, or that disables checks, has a reason")
struct ReasonRuleTests {
  private func lines(_ text: String, path: String = "Sources/Skein/A.swift") -> [Int] {
    ReasonRule.violations(in: SourceFile(path: path, text: text)).map(\.line)
  }

  private static let risky = [
    "final class A: @unchecked Sendable {}", "nonisolated(unsafe) var a = 1", "fatalError(\"a\")",
    "fatalError()",
    "precondition(a > 0)", "preconditionFailure()", "try! a()", "b as! A", "a!.b", "a()!", "a[0]!",
    "var a: A!",
    "a!, b",
  ]

  @Test("Code without a reason is reported", arguments: risky)
  func refuses(_ code: String) {
    #expect(lines(code) == [1])
    #expect(lines("// The reason is too far away.\n\n" + code) == [3])
    #expect(lines("// MARK: - Unsafe things\n" + code) == [2])
    #expect(lines("let text = \"\"\"\n// no comment\n\"\"\"; " + code) == [3])
  }

  @Test("Code with a reason directly above passes", arguments: risky)
  func allows(_ code: String) {
    #expect(lines("// The lock guards every stored property.\n" + code).isEmpty)
    #expect(lines("  /// The lock guards every stored property.\n  " + code).isEmpty)
    #expect(lines("// The array is never empty.\n// swift-format-ignore: NeverForceUnwrap\n" + code).isEmpty)
    #expect(lines("// swift-format-ignore: NeverForceUnwrap\n// The array is never empty.\n" + code).isEmpty)
  }

  @Test(
    "Text that only resembles risky code passes",
    arguments: [
      "a != b", "a!=b", "!a", "if !a, !b {}", "f(!a)", "\"try! \\(a)!\"", "// try! this", "/* as! */", "[!a]",
      "let a = b ? !c : d",
    ])
  func ignoresLookalikes(_ code: String) {
    #expect(lines(code).isEmpty)
  }

  @Test("A directive to the formatter needs a reason in its comment block")
  func refusesBareDirective() {
    #expect(lines("// swift-format-ignore: NeverForceUnwrap\nlet a = 1") == [1])
    #expect(lines("// Its order is the order of the wire.\n// swift-format-ignore\nlet a = 1").isEmpty)
  }

  @Test("Tests may trap")
  func leavesTestsAlone() {
    #expect(lines("try! a()", path: "Tests/SkeinTests/A.swift").isEmpty)
  }
}
