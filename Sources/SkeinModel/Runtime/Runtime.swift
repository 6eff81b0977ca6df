#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The nondeterministic parts that the engine uses: clocks, sleep, random numbers, tasks and a folder.
///
/// 1. The engine has no other source of time, randomness or tasks.
/// 2. An app uses ``system(directory:)``; a simulation provides seeded parts, which repeat a run exactly.
public struct Runtime: Sendable {
  /// The device's wall clock.
  public var now: @Sendable () -> Timestamp
  /// The time since a fixed moment; it never jumps or goes back.
  public var uptime: @Sendable () -> Duration
  /// Suspends until the uptime reaches a deadline; throws `CancellationError` when its task is cancelled.
  public var sleepUntil: @Sendable (Duration) async throws -> Void
  /// 64 random bits.
  public var random: @Sendable () -> UInt64
  /// The executor of the tasks of ``spawn(_:)``; nil means the system's pool.
  public var executor: (any TaskExecutor)?
  /// The folder that holds the account's database and media.
  public var directory: URL
  /// Identifies this installation of the app. An app that stores such an id outside of backups may provide
  /// it. If nil, the engine stores an id in a file beside the database, and detects a copied folder by that
  /// file's inode number.
  public var installation: String?
  /// Called before every database statement, with its text; if it throws, the statement fails. Nil allows all
  /// statements. A simulation uses it to stop a process at any statement, or to simulate a full disk.
  public var gate: (@Sendable (_ sql: String) throws -> Void)?

  /// Creates a runtime from its parts.
  public init(
    now: @escaping @Sendable () -> Timestamp, uptime: @escaping @Sendable () -> Duration,
    sleepUntil: @escaping @Sendable (Duration) async throws -> Void,
    random: @escaping @Sendable () -> UInt64, executor: (any TaskExecutor)? = nil, directory: URL,
    installation: String? = nil,
    gate: (@Sendable (_ sql: String) throws -> Void)? = nil
  ) {
    self.now = now
    self.uptime = uptime
    self.sleepUntil = sleepUntil
    self.random = random
    self.executor = executor
    self.directory = directory
    self.installation = installation
    self.gate = gate
  }

  /// Suspends for a while; throws `CancellationError` when its task is cancelled.
  public func sleep(for duration: Duration) async throws {
    try await sleepUntil(uptime() + duration)
  }

  /// Creates an id of 128 random bits, as 32 hexadecimal digits.
  package func makeIdentifier() -> String {
    [random(), random()].map { bits in
      let digits = String(bits, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}
