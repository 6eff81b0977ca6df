import Testing

/// The rules, held against the repository itself. Each failure names a file, a line, and what to do instead.
@Suite("The repository keeps the house rules")
struct RepositoryTests {
  let repository: Repository

  init() throws {
    repository = try Repository.shared.get()
  }

  @Test("There is something to check")
  func isNotEmpty() {
    #expect(repository.files.contains { $0.path == "Tests/ArchitectureTests/RepositoryTests.swift" })
    #expect(repository.files.contains { $0.isInSources && $0.target == "Skein" })
  }

  @Test("Every import is declared, every declaration is used, and the arrows go one way")
  func imports() async throws {
    let manifest = try await Manifest.read(packageAt: repository.root)
    report(ImportRule(manifest: manifest, house: .skein).violations(in: repository.files))
  }

  @Test("The engine takes time, randomness and tasks from its runtime")
  func engine() {
    report(repository.files.flatMap(EngineRule.violations))
  }

  @Test("Machines only decide")
  func machines() {
    report(repository.files.flatMap(MachineRule.violations))
  }

  @Test("What can trap or escapes the compiler's checks has a reason")
  func reasons() {
    report(repository.files.flatMap(ReasonRule.violations))
  }

  @Test("Files are short, finished, and name nobody's machine")
  func text() {
    report(repository.files.flatMap(TextRule.violations(in:)))
    report(repository.documents.flatMap { TextRule.violations(inDocument: $0.path, text: $0.text) })
  }

  @Test("Tests neither sleep nor skip")
  func tests() {
    report(repository.files.flatMap(TestRule.violations))
  }
}
