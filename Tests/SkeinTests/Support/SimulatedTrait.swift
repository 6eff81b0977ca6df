import Synchronization
import Testing

/// Runs a test's body in a simulated world, once for each seed.
///
/// 1. `#expect` and `#require` in the body, and in tasks that it starts, record into the test. The issue
///    names the seed.
/// 2. Each seed has a world of its own (``stage``) and a suite instance of its own.
/// 3. A world that goes idle or reaches its limit of jobs before the body has ended is an issue of the test.
///
/// ```swift
/// @Test("A message reaches the server", .simulated(seeds: 1...10))
/// func send() async throws {
///   let client = try await stage.client("alice", on: "phone")
/// ```
struct SimulatedTrait: TestTrait, TestScoping {
  let seeds: ClosedRange<Int>

  @concurrent func provideScope(
    for test: Test, testCase: Test.Case?, performing body: @concurrent @Sendable () async throws -> Void
  ) async throws {
    for seed in seeds {
      let isAbandoned = Flag()
      let naming = IssueHandlingTrait.compactMapIssues { issue in
        if isAbandoned.value { return nil }
        var issue = issue
        issue.comments.append("Seed \(seed)")
        return issue
      }
      try await naming.provideScope(for: test, testCase: testCase) {
        await withoutActuallyEscaping(body) { body in
          let stage = SimulatedStage(seed: UInt64(seed))
          defer { stage.removeFiles() }
          let root = stage.start(body)
          do {
            try await stage.finish(root)
          } catch is ExpectationFailedError {
            // `#require` has recorded it.
          } catch {
            Issue.record(error, sourceLocation: test.sourceLocation)
            guard error is WorldStopped else { return }
            isAbandoned.set()
            await end(root, on: stage, of: test, seed: seed)
          }
        }
      }
    }
  }

  /// Ends a body that waits for ever, since Swift Testing needs it to return.
  private func end(_ root: RootTask<Void>, on stage: SimulatedStage, of test: Test, seed: Int) async {
    do {
      try await stage.abandon(root)
    } catch is WorldStopped {
      // Otherwise neither this test nor the run of all tests would end.
      fatalError(
        "Seed \(seed) of “\(test.displayName ?? test.name)” waits for ever, even when it is cancelled.")
    } catch {
      // The cancelled body has thrown this error. The cause, `WorldStopped`, is already recorded.
    }
  }
}

private final class Flag: Sendable {
  private let isSet = Mutex(false)
  var value: Bool { isSet.withLock { $0 } }
  func set() { isSet.withLock { $0 = true } }
}

extension Trait where Self == SimulatedTrait {
  /// The body runs in a simulated world, with the seeds 1 to 5.
  static var simulated: Self { simulated(seeds: 1...5) }

  /// The body runs in a simulated world, once for each seed.
  static func simulated(seeds: ClosedRange<Int>) -> Self { SimulatedTrait(seeds: seeds) }
}
