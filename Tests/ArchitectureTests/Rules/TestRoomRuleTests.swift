import Testing

@Suite("Tests are in folders with the same names as the folders of their sources")
struct TestRoomRuleTests {
  private func violations(_ paths: String...) -> [String] {
    let sources = [
      "Sources/Skein/Outbox/A.swift", "Sources/SkeinModel/Kinds/B.swift", "Sources/SkeinWeb/Page/C.swift",
      "Sources/SkeinTesting/Sending/D.swift",
    ]
    return TestRoomRule.violations(in: (sources + paths).map { SourceFile(path: $0, text: "") }).map(\.path)
  }

  @Test("A folder that the module does not have is reported")
  func unknownFolder() {
    let odd = ["Tests/SkeinTests/Sending/ATests.swift", "Tests/SkeinWebTests/Outbox/CTests.swift"]
    #expect(violations(odd[0], odd[1]) == odd)
  }

  @Test("A folder of the module, and folders below it, pass")
  func sameFolder() {
    #expect(
      violations(
        "Tests/SkeinTests/Outbox/ATests.swift", "Tests/SkeinTests/Outbox/Lanes/ATests.swift",
        "Tests/SkeinWebTests/Page/CTests.swift"
      ).isEmpty)
  }

  @Test("The engine's tests may also be in folders named like those of the model")
  func model() {
    #expect(violations("Tests/SkeinTests/Kinds/BTests.swift").isEmpty)
  }

  @Test("Files outside folders, code shared by tests, and targets that do not test one module are allowed")
  func exceptions() {
    #expect(
      violations(
        "Tests/SkeinTests/ATests.swift", "Tests/SkeinTests/Support/Stage.swift",
        "Tests/SkeinTestingTests/Faults/Fault.swift", "Tests/ArchitectureTests/Rules/E.swift"
      ).isEmpty)
    #expect(violations("Tests/SkeinWebTests/Faults/F.swift").count == 1)
  }
}
