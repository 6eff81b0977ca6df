import Testing

/// The rules, held against the repository itself. Each failure names a file, a line, and what to do instead.
@Suite("The repository keeps the house rules")
struct RepositoryTests {
  @Test("There is something to check")
  func isNotEmpty() async throws {
    let files = try await RulesThread.run { try Repository.shared.get().files }
    #expect(files.map(\.path).contains("Tests/ArchitectureTests/RepositoryTests.swift"))
    #expect(files.filter(\.isInSources).map(\.target).contains("Skein"))
  }

  @Test("Every import is declared, every declaration is used, and the arrows go one way")
  func imports() async throws {
    try await check { repository in
      let manifest = try Manifest.read(packageAt: repository.root)
      return ImportRule(manifest: manifest, house: .skein).violations(in: repository.files)
    }
  }

  @Test("The engine takes time, randomness and tasks from its runtime")
  func engine() async throws {
    try await check { $0.files.flatMap(EngineRule.violations) }
  }

  @Test("Machines only decide")
  func machines() async throws {
    try await check { $0.files.flatMap(MachineRule.violations) }
  }

  @Test("What can trap or escapes the compiler's checks has a reason")
  func reasons() async throws {
    try await check { $0.files.flatMap(ReasonRule.violations) }
  }

  @Test("Files are short, finished, and name nobody's machine")
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

  private func check(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ rule: @escaping @Sendable (Repository) throws -> [Violation]
  ) async throws {
    let violations = try await RulesThread.run { try rule(Repository.shared.get()) }
    report(violations, sourceLocation: sourceLocation)
  }
}
