import Foundation
import Testing

@Suite("Decoding the manifest")
struct ManifestTests {
  @Test("Dependencies of every kind are decoded, with and without conditions")
  func decodesDependencies() throws {
    let json = """
      {"name": "p", "targets": [{"name": "A", "type": "executable", "dependencies": [
        {"byName": ["B", null]}, {"target": ["C", {"platformNames": ["linux"]}]},
        {"product": ["D", "package", null, null]}]}]}
      """
    let manifest = try JSONDecoder().decode(Manifest.self, from: Data(json.utf8))
    #expect(manifest.targets.map(\.name) == ["A"])
    #expect(manifest.targets.first?.type == .executable)
    #expect(manifest.targets.first?.dependencies.map(\.name) == ["B", "C", "D"])
  }

  @Test("A missing package is an error")
  func refusesMissingPackage() async {
    await #expect(throws: ManifestError.self) { try await readMissingPackage() }
  }

  private func readMissingPackage() async throws {
    _ = try await RulesThread.run { try Manifest.read(packageAt: URL(filePath: "/does/not/exist")) }
  }
}
