#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Runtime {
  /// Returns a runtime with the system's clocks, random numbers and tasks, and with its files in `directory`.
  public static func system(directory: URL) -> Runtime {
    let start = ContinuousClock.now
    return Runtime(
      now: { Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) },
      uptime: { start.duration(to: .now) },
      sleepUntil: { try await ContinuousClock().sleep(until: start + $0) },
      random: {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
      },
      directory: directory)
  }

  /// Starts an unstructured task on ``executor``.
  @discardableResult
  public func spawn<Success: Sendable>(
    _ operation: sending @escaping @isolated(any) () async throws -> Success
  ) -> Task<Success, any Error> {
    Task(executorPreference: executor, priority: .medium, operation: operation)
  }
}
