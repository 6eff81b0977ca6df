import Foundation
import SkeinTesting
import Testing

@Suite("A Matrix homeserver fulfills the contract of a backend", .serialized)
struct SynapseTests {
  static let run = CheckRun()

  @Test(
    "Every check passes on Synapse",
    arguments: SynapseServer.address == nil ? [] : Self.run.checks)
  func contract(_ check: BackendCheck) async throws {
    let address = try #require(SynapseServer.address)
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
