import Testing

/// Checks the repository against the rules. Each failure names a file, a line and a remedy.
@Suite("The repository keeps the house rules")
struct RepositoryTests {
  @Test("The repository was found")
  func isNotEmpty() async throws {
    let files = try await RulesThread.run { try Repository.shared.get().files }
    #expect(files.map(\.path).contains("Tests/ArchitectureTests/RepositoryTests.swift"))
    #expect(files.filter(\.isInSources).map(\.target).contains("Skein"))
  }

  @Test("Every import is declared, and every declared dependency is used and is allowed for its target")
  func imports() async throws {
    try await check { repository in
      let manifest = try Manifest.read(packageAt: repository.root)
      return ImportRule(manifest: manifest, house: .skein).violations(in: repository.files)
    }
  }

  // The test above compares the manifest with the house, so this result is true of the compiled modules.
  @Test(
    "Backends, servers and the conformance kit are built without the engine",
    arguments: [
      "SkeinHTTP", "SkeinMatrix", "SkeinModel", "SkeinServer", "SkeinSockets", "SkeinTesting",
      "SkeinTransport", "SkeinWire",
    ])
  func withoutEngine(_ module: String) {
    #expect(House.skein.rows[module] != nil)
    #expect(!House.skein.reach(of: module).contains("Skein"))
    #expect(House.skein.reach(of: "SkeinCards").isSuperset(of: ["Skein", "SkeinModel", "CSodium"]))
  }

  @Test("The engine takes time, randomness and tasks from its runtime")
  func engine() async throws {
    try await check { $0.files.flatMap(EngineRule.violations) }
  }

  @Test("State machines only decide: they do not wait, lock or start tasks")
  func machines() async throws {
    try await check { $0.files.flatMap(MachineRule.violations) }
  }

  @Test("Code that can trap, or that disables a check, has a comment with the reason")
  func reasons() async throws {
    try await check { $0.files.flatMap(ReasonRule.violations) }
  }

  @Test("Files are short, finished and free of local paths")
  func text() async throws {
    try await check { repository in
      repository.files.flatMap(TextRule.violations(in:))
        + repository.documents.flatMap { TextRule.violations(inDocument: $0.path, text: $0.text) }
    }
  }

  @Test("Tests neither sleep nor skip")
  func tests() async throws {
    try await check { $0.files.flatMap(TestRule.violations) }
  }

  @Test("The tests of a module are in folders with the same names as the folders of its sources")
  func testRooms() async throws {
    try await check { TestRoomRule.violations(in: $0.files) }
  }

  @Test("Comments and documents are in plain words")
  func words() async throws {
    try await check(atMost: WordRule.openingLimit) {
      ($0.files + $0.examples).flatMap(WordRule.openings(in:))
    }
    try await check(atMost: WordRule.documentLimit) {
      $0.documents.flatMap { WordRule.openings(inDocument: $0.path, text: $0.text) }
    }
    try await check { ($0.files + $0.examples).flatMap(WordRule.phrases) }
  }

  @Test("No module declares too many functions of one name")
  func names() async throws {
    try await check { NameRule.violations(in: $0.files) }
  }

  private func check(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ rule: @escaping @Sendable (Repository) throws -> [Violation]
  ) async throws {
    let violations = try await RulesThread.run { try rule(Repository.shared.get()) }
    report(violations, sourceLocation: sourceLocation)
  }

  /// Checks a rule that may have violations, but no more than `limit`.
  private func check(
    atMost limit: Int, sourceLocation: SourceLocation = #_sourceLocation,
    _ rule: @escaping @Sendable (Repository) throws -> [Violation]
  ) async throws {
    let tally = Tally(violations: try await RulesThread.run { try rule(Repository.shared.get()) })
    let count = tally.violations.count
    #expect(count <= limit, "At most \(limit) are allowed: \(tally)", sourceLocation: sourceLocation)
  }
}
