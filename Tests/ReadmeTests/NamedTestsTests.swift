import Foundation
import Testing

@Suite("Tests and mutants that documents name")
struct NamedTestsTests {
  private func text(_ path: String) throws -> String {
    try String(contentsOf: ReadmeTests.root.appending(path: path), encoding: .utf8)
  }

  /// The paths of the files below `Tests` with this suffix.
  private func paths(_ suffix: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: ReadmeTests.root.appending(path: "Tests").path)
      .filter { $0.hasSuffix(suffix) }.map { "Tests/\($0)" }
  }

  @Test("Each linked test file exists", arguments: ["README.md", "HANDBOOK.md"])
  func links(_ document: String) throws {
    let links = try text(document).matches(of: /\]\((?<path>Tests\/[^)]+)\)/)
    #expect(!links.isEmpty)
    for link in links { _ = try text(String(link.path)) }
  }

  @Test("The tests in the table of features exist")
  func features() throws {
    let tests = try paths(".swift").map { try text($0) }.joined()
    for row in try text("Documentation/features.md").split(separator: "\n") where row.hasPrefix("| ") {
      for name in row.split(separator: "|").last?.matches(of: /\*(?<name>[^*]+)\*/) ?? [] {
        let isThere = tests.contains("\"\(name.name)\"")
        #expect(isThere, "there is no test \"\(name.name)\"")
      }
    }
  }

  @Test("The table of mutants lists every patch")
  func mutants() throws {
    let listed = try text("Documentation/simulation.md").matches(of: /\n\| (?<name>[0-9]+-[a-z0-9-]+) \|/)
    let names = listed.map { String($0.name) }
    let patches = try paths(".patch").map { String($0.dropFirst("Tests/Mutants/".count).dropLast(6)) }
    #expect(Set(names).symmetricDifference(patches).isEmpty)
    #expect(names.count == patches.count)
  }
}
