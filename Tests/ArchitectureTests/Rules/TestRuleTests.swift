import Testing

@Suite("Tests neither sleep nor skip")
struct TestRuleTests {
  private func lines(_ text: String, path: String = "Tests/SkeinTests/A.swift") -> [Int] {
    TestRule.violations(in: SourceFile(path: path, text: text)).map(\.line)
  }

  @Test(
    "Sleeping and skipping are reported",
    arguments: [
      "try await Task.sleep(for: .seconds(1))", "Thread.sleep(forTimeInterval: 1)", "usleep(100)", "sleep(1)",
      "@Test(.disabled(\"later\")) func a() {}", "@Test(.enabled(if: a)) func b() {}",
      "withKnownIssue { a() }",
      "throw XCTSkip(\"a\")", "try Test.cancel(\"a\")",
    ])
  func refuses(_ code: String) {
    #expect(lines("\n" + code) == [2])
  }

  @Test(
    "A virtual clock may sleep, and comments and literals may mention sleep",
    arguments: [
      "try await runtime.sleep(until: a)", "func sleep(until deadline: Duration) async throws {}",
      "// no sleep( here", "let a = \"sleep(1)\"",
    ])
  func allows(_ code: String) {
    #expect(lines(code).isEmpty)
  }

  @Test("The rule applies to tests only")
  func leavesSourcesAlone() {
    #expect(lines("sleep(1)", path: "Sources/SkeinServer/A.swift").isEmpty)
  }
}
