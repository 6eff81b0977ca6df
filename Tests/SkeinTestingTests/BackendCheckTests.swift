import Foundation
import Skein
import SkeinTesting
import Synchronization
import Testing

/// A server without further abilities that counts how often it was finished.
private final class PlainServer: TestServer {
  private let base = StyledServer(.dense)
  private let ends = Mutex(0)
  let isBroken: Bool

  init(isBroken: Bool = false) { self.isBroken = isBroken }

  var finishes: Int { ends.withLock { $0 } }
  func makeUser() async throws -> UserID {
    if isBroken { throw BackendError(.permanent, "No more accounts.") }
    return try await base.makeUser()
  }
  func makeBackend(for user: UserID) async throws -> any ChatBackend { try await base.makeBackend(for: user) }
  func finish() async { ends.withLock { $0 += 1 } }
}

@Suite("A check of the contract")
struct BackendCheckTests {
  @Test("A check that the test server can't support is skipped, and the reason names the missing protocol")
  func skipped() async throws {
    var reasons: [CheckNeed: Set<String>] = [:]
    for check in BackendCheck.all {
      if case .skipped(let reason) = try await check.run(on: PlainServer()) {
        let need = try #require(check.needs.first { reason.contains($0.description) })
        reasons[need, default: []].insert(reason)
      }
    }
    #expect(
      Set(reasons.keys) == [
        .stopping, .cutting, .losing, .endingSessions, .expiringTokens, .outsidePosts, .editingContacts,
        .inviting, .restoring, .hostingFiles,
      ])
    #expect(reasons[.cutting] == ["The test server is no CuttableServer."])
  }

  @Test("A check that the backend can't support is skipped")
  func incapable() async throws {
    let check = try #require(BackendCheck.all.first { $0.part == .media })
    let outcome = try await check.run(on: StyledServer(.archive))
    #expect(outcome == .skipped(reason: "The backend has no media."))
  }

  @Test("A check finishes its server once, whether the check passes or fails")
  func finished() async throws {
    let check = try #require(BackendCheck.all.first)
    let (good, broken) = (PlainServer(), PlainServer(isBroken: true))
    try await check.run(on: good)
    let failure = await #expect(throws: ConformanceFailure.self) { try await check.run(on: broken) }
    #expect(good.finishes == 1 && broken.finishes == 1)
    #expect(failure?.description == "\(check): a new account threw permanent: No more accounts.")
  }

  @Test("The documentation lists the checks, sentence by sentence")
  func documented() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Documentation/backends.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    let contract = text.components(separatedBy: "## The contract\n").last ?? ""
    let sentences = contract.replacing("\n  ", with: " ").split(separator: "\n").filter { $0.hasPrefix("- ") }
    let checks = BackendCheck.all.map { check in
      let needs = check.needs.map(\.description).joined(separator: ", ")
      return "- \(check.name)" + (needs.isEmpty ? "" : " (\(needs))")
    }
    #expect(sentences.map(String.init) == checks)
  }

  @Test("A cancelled check ends")
  func cancelled() async throws {
    let check = try #require(BackendCheck.all.first { $0.name.hasPrefix("The push channel reports") })
    let silent = Fault(description: "Silence", caughtBy: [], event: { _, _ in nil })
    let run = Task { try await check.run(on: FaultyServer(silent), within: .seconds(3600)) }
    run.cancel()
    await #expect(throws: CancellationError.self) { try await run.value }
  }
}
