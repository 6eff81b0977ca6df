import Foundation
import Testing

@Suite("The diagram of the modules")
struct DiagramTests {
  @Test(
    "The diagram has an arrow for each use of a module or an engine room that does not follow from other arrows"
  )
  func arrows() async throws {
    let (drawn, expected) = try await RulesThread.run {
      let root = try Repository.shared.get().root
      let source = root.appending(path: "Documentation/diagrams/modules.dot")
      let drawn = try String(contentsOf: source, encoding: .utf8).split(separator: "\n")
        .map { $0.trimmingCharacters(in: .whitespaces) }.filter { $0.contains(" -> ") }
      let uses = try Self.moduleUses(in: Manifest.read(packageAt: root))
      return (drawn.sorted(), (Self.arrows(for: uses) + Self.arrows(for: Rooms.engine.uses)).sorted())
    }
    #expect(drawn == expected, "Correct the diagram, then run make diagrams.")
  }

  /// The Swift modules that each Swift module uses. Test targets are left out.
  private static func moduleUses(in manifest: Manifest) -> [String: Set<String>] {
    let modules = manifest.targets.filter { $0.name.hasPrefix("Skein") && $0.type != .test }
    let names = Set(modules.map(\.name))
    return Dictionary(
      uniqueKeysWithValues: modules.map { ($0.name, names.intersection($0.dependencies.map(\.name))) })
  }

  /// The arrows for the uses that do not follow from others.
  private static func arrows(for uses: [String: Set<String>]) -> [String] {
    var reach = uses
    for _ in uses { reach = reach.mapValues { used in used.union(used.flatMap { reach[$0] ?? [] }) } }
    return uses.flatMap { user, used in
      used.filter { name in !used.contains { reach[$0]?.contains(name) == true } }.map { "\(user) -> \($0)" }
    }
  }
}
