import Foundation
import SkeinTesting
import Testing

@Suite("The test server of the documentation")
struct ProcessServerTests {
  /// This package's command-line tool, which is built into the folder of the tests.
  private static let skein = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    .appending(path: "skein")

  @Test(
    "A server that runs in its own process behind relays passes checks that cut connections and lose answers")
  func process() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "skein-readme-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    var passed = 0
    for text in ["lost answer", "connection and can be opened"] {
      let summary = try await CheckRun(matching: text, report: { _ in }).runAll {
        try await ProcessServer(Self.skein, data: folder.appending(path: UUID().uuidString))
      }
      #expect(summary.failures.map(\.description) == [] && summary.skipped.isEmpty)
      passed += summary.passed.count
    }
    #expect(passed == 2)
  }
}
