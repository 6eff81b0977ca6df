#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The server's time. Tests use a clock that they advance by hand.
public struct ServerClock: Sendable {
  /// Milliseconds since 1970.
  public var now: @Sendable () -> Int64
  /// Returns when ``now`` has reached a time; throws when the task is cancelled.
  public var sleep: @Sendable (_ until: Int64) async throws -> Void

  /// Makes a clock.
  public init(
    now: @escaping @Sendable () -> Int64, sleep: @escaping @Sendable (_ until: Int64) async throws -> Void
  ) {
    self.now = now
    self.sleep = sleep
  }

  /// The system's clock. A sleep reads the clock again once an hour, in case the clock was set.
  public static let system = ServerClock(
    now: systemNow,
    sleep: { time in
      while case let left = time - systemNow(), left > 0 {
        try await Task.sleep(for: .milliseconds(min(left, 3_600_000)))
      }
    })

  private static let systemNow: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1000) }
}
