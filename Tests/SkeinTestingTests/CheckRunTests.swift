import Skein
import SkeinTesting
import Synchronization
import Testing

@Suite("A run of checks")
struct CheckRunTests {
  private struct NoServer: Error {}

  @Test("A run without a search text includes all checks of the contract")
  func whole() {
    #expect(CheckRun(matching: nil).checks.map(\.name) == BackendCheck.all.map(\.name))
  }

  @Test("A search text selects the checks whose sentences contain it, in upper or lower case")
  func selected() throws {
    let sentence = try #require(BackendCheck.all.last).name
    #expect(CheckRun(matching: sentence.uppercased()).checks.map(\.name) == [sentence])
    let checks = CheckRun(matching: "read mark").checks
    #expect(checks.count > 1 && checks.allSatisfy { $0.name.lowercased().contains("read mark") })
  }

  @Test("A run fails if no sentence of the contract contains its search text")
  func unknown() async throws {
    let summary = try await CheckRun(matching: "no such thing", report: { _ in }).runAll {
      StyledServer(.dense)
    }
    #expect(
      summary.failures.map(\.description) == [
        "No sentence of the contract contains \"no such thing\": No check was run."
      ])
  }

  @Test(
    "A summary of passed, failed and skipped checks and the duration is reported once, after the last check")
  func summary() async throws {
    let summaries = Mutex<[CheckSummary]>([])
    let run = CheckRun(matching: "a cancelled s") { summary in summaries.withLock { $0.append(summary) } }
    #expect(run.checks.count == 2)
    let fault = Fault(
      description: "Ignores cancellation", caughtBy: [], flaws: [.sendIgnoresCancellation])
    // Only the limit ends the first check, since the server never answers. The other check ends by itself.
    for (check, limit) in zip(run.checks, [2, 60]) {
      #expect(summaries.withLock { $0.isEmpty })
      _ = try? await run.run(check, within: .seconds(limit)) { FaultyServer(fault) }
    }
    let summary = try #require(summaries.withLock { $0.first })
    #expect(summaries.withLock { $0.count } == 1)
    #expect(summary.failures.map(\.check) == [run.checks[0].name])
    #expect(summary.passed.map(\.name) == run.checks.dropFirst().map(\.name))
    #expect(summary.description.hasPrefix("2 checks in "))
    #expect(summary.description.hasSuffix(" s: 1 passed, 1 failed, 0 skipped"))
    #expect(summary.duration > .seconds(1))
  }

  @Test("A run outside a test library returns its summary")
  func all() async throws {
    let run = CheckRun(matching: "media", report: { _ in })
    let summary = try await CheckRun(matching: "upload", report: { _ in }).runAll { StyledServer(.archive) }
    #expect(summary.skipped.count == summary.skipped.filter { $0.needs == [.media] }.count)
    #expect(summary.passed.isEmpty && summary.failures.isEmpty && !summary.skipped.isEmpty)
    #expect(run.summary.passed.isEmpty && run.summary.duration == .zero)
  }

  @Test("A test server that does not start fails the check")
  func noServer() async throws {
    let summary = try await CheckRun(matching: BackendCheck.all[0].name, report: { _ in }).runAll {
      throw NoServer()
    }
    #expect(summary.failures.map(\.detail) == ["The test server did not start: NoServer()"])
  }
}
