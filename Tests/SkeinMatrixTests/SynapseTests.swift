import Foundation
import SkeinTesting
import Testing

@Suite("A Matrix homeserver fulfills the contract of a backend", .serialized)
struct SynapseTests {
  static let run = CheckRun()
  /// The check with a text of 65,536 characters; an event of Matrix has at most 65,536 bytes in all. A shorter text is
  /// sent in ``SynapseClientTests``.
  static let unfulfilled = "Content is returned byte for byte, including long texts and special characters"

  @Test(
    "Every check passes on Synapse, except that the longest text is refused permanently",
    arguments: SynapseServer.address == nil ? [] : Self.run.checks)
  func contract(_ check: BackendCheck) async throws {
    let address = try #require(SynapseServer.address)
    if check.name == Self.unfulfilled {
      let failure = await #expect(throws: ConformanceFailure.self) {
        try await Self.run.run(check) { try SynapseServer(address) }
      }
      #expect(failure?.detail.contains("permanent: This is larger than the homeserver allows.") == true)
      return
    }
    let outcome = try await Self.run.run(check) { try SynapseServer(address) }
    if case .skipped(let reason) = outcome { Issue.record("Skipped: \(reason)", severity: .warning) }
  }

  @Test("A Synapse was started for these tests")
  func isStarted() {
    if SynapseServer.address == nil {
      Issue.record("No check ran on Synapse. To run them: make test-matrix", severity: .warning)
    }
  }
}
