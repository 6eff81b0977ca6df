#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
import Synchronization

/// A run of checks, which reports a summary once every check has ended.
///
/// ```swift
/// @Suite("The contract of a backend", .serialized)
/// struct ContractTests {
///   static let run = CheckRun()
///
///   @Test("The backend fulfills it", arguments: Self.run.checks)
///   func contract(_ check: BackendCheck) async throws {
///     try await Self.run.run(check) { try await MyServer() }
///   }
/// }
/// ```
///
/// The environment variable `SKEIN_CHECK` selects checks by their sentences:
/// `SKEIN_CHECK="read mark" swift test --filter ContractTests`.
public final class CheckRun: Sendable {
  /// The name of the environment variable that selects checks.
  public static let variable = "SKEIN_CHECK"

  private struct State {
    var started: ContinuousClock.Instant?
    var results: [String: Result<CheckOutcome, ConformanceFailure>] = [:]
    var summary: CheckSummary?
  }

  /// The checks of the run, in the order of ``BackendCheck/all``.
  public let checks: [BackendCheck]
  private let report: @Sendable (CheckSummary) -> Void
  private let state = Mutex(State())

  /// Selects the checks.
  ///
  /// If no sentence contains the text, the run has one check, which fails and names the text.
  /// - Parameters:
  ///   - text: selects the checks whose sentences contain this text, ignoring case; nil or an empty text
  ///     selects all checks. The default is the value of ``variable``.
  ///   - report: receives the summary, once, when every check has ended; prints it by default.
  public init(
    matching text: String? = ProcessInfo.processInfo.environment[CheckRun.variable],
    report: @escaping @Sendable (CheckSummary) -> Void = { print($0) }
  ) {
    let text = text ?? ""
    let found = BackendCheck.all.filter { text.isEmpty || $0.name.lowercased().contains(text.lowercased()) }
    checks = found.isEmpty ? [.missing(text)] : found
    self.report = report
  }

  /// Runs one of the checks and records its result.
  ///
  /// - Parameters:
  ///   - limit: the time limit; see ``BackendCheck/run(on:within:)``.
  ///   - makeServer: starts the server to check, or returns a shared server; has the same time limit.
  /// - Throws: ``ConformanceFailure``; `CancellationError` if the task is cancelled.
  @discardableResult
  public func run(
    _ check: BackendCheck, within limit: Duration = .seconds(60),
    on makeServer: @escaping @concurrent @Sendable () async throws -> any TestServer
  ) async throws -> CheckOutcome {
    state.withLock { $0.started = $0.started ?? .now }
    do {
      let server = try await Self.start(makeServer, for: check, within: limit)
      let outcome = try await check.run(on: server, within: limit)
      record(check, .success(outcome))
      return outcome
    } catch let failure as ConformanceFailure {
      record(check, .failure(failure))
      throw failure
    }
  }

  /// Runs all checks, one at a time.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  public func runAll(
    within limit: Duration = .seconds(60),
    on makeServer: @escaping @concurrent @Sendable () async throws -> any TestServer
  ) async throws -> CheckSummary {
    for check in checks {
      do {
        try await run(check, within: limit, on: makeServer)
      } catch is ConformanceFailure {}
    }
    return summary
  }

  /// The results so far.
  public var summary: CheckSummary { state.withLock { makeSummary(of: $0) } }

  private static func start(
    _ makeServer: @escaping @concurrent @Sendable () async throws -> any TestServer, for check: BackendCheck,
    within limit: Duration
  ) async throws -> any TestServer {
    do {
      return try await Deadline.run(within: limit, makeServer)
    } catch is CancellationError where Task.isCancelled {
      throw CancellationError()
    } catch is Deadline.Passed {
      throw ConformanceFailure(check: check.name, detail: "The test server did not start within \(limit).")
    } catch {
      throw ConformanceFailure(check: check.name, detail: "The test server did not start: \(error)")
    }
  }

  private func record(_ check: BackendCheck, _ result: Result<CheckOutcome, ConformanceFailure>) {
    let summary = state.withLock { state -> CheckSummary? in
      state.results[check.name] = result
      guard state.results.count == checks.count, state.summary == nil else { return nil }
      state.summary = makeSummary(of: state)
      return state.summary
    }
    if let summary { report(summary) }
  }

  private func makeSummary(of state: State) -> CheckSummary {
    if let summary = state.summary { return summary }
    var summary = CheckSummary(duration: state.started.map { .now - $0 } ?? .zero)
    for check in checks {
      switch state.results[check.name] {
      case .success(.passed)?: summary.passed.append(check)
      case .success(.skipped)?: summary.skipped.append(check)
      case .failure(let failure)?: summary.failures.append(failure)
      case nil: break
      }
    }
    return summary
  }
}

/// The results of a run.
public struct CheckSummary: Sendable, CustomStringConvertible {
  /// The checks that passed.
  public internal(set) var passed: [BackendCheck] = []
  /// The failures, one for each failed check.
  public internal(set) var failures: [ConformanceFailure] = []
  /// The checks that were skipped, because the backend or the test server lacks an ability.
  public internal(set) var skipped: [BackendCheck] = []
  /// The time from the start of the first check to the end of the last check. If checks are left, the time
  /// until this summary was made.
  public let duration: Duration

  init(duration: Duration) { self.duration = duration }

  /// One line: `119 checks in 38.2 s: 110 passed, 2 failed, 7 skipped`.
  public var description: String {
    let count = passed.count + failures.count + skipped.count
    let tenths = Int((duration / .milliseconds(100)).rounded())
    return "\(count) \(count == 1 ? "check" : "checks") in \(tenths / 10).\(tenths % 10) s: "
      + "\(passed.count) passed, \(failures.count) failed, \(skipped.count) skipped"
  }
}

extension BackendCheck {
  /// Returns a check that always fails. A run has only this check if no sentence contains the run's text.
  fileprivate static func missing(_ text: String) -> BackendCheck {
    BackendCheck(.sending, "No sentence of the contract contains \"\(text)\"") { _ in
      throw CheckEnd.failed("No check was run.")
    }
  }
}
