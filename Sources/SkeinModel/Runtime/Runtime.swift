#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Everything random or slow that the engine uses: clocks, sleep, random numbers, tasks and a folder.
///
/// 1. The engine takes time, randomness and tasks from here and nowhere else.
/// 2. An app uses ``system(directory:)``; a simulation hands in a seeded world and gets the same run again.
public struct Runtime: Sendable {
  /// The wall clock, as the device believes it.
  public var now: @Sendable () -> Timestamp
  /// Time since some fixed moment; never jumps and never goes back.
  public var uptime: @Sendable () -> Duration
  /// Suspends until the uptime reaches a deadline; throws `CancellationError` when its task is cancelled.
  public var sleepUntil: @Sendable (Duration) async throws -> Void
  /// 64 random bits.
  public var random: @Sendable () -> UInt64
  /// Where the tasks of ``spawn(_:)`` run; nil is the system's pool.
  public var executor: (any TaskExecutor)?
  /// The folder that holds the account's database and media.
  public var directory: URL
  /// Names this installation of the app; an app that keeps such a name where no backup holds it may hand it in. Nil has
  /// the engine keep one beside the database and know a copied folder by the file's number on its disk.
  public var installation: String?
  /// Is asked before every statement of the database, with its text; a throw fails the statement. Nil lets all pass. A
  /// simulation stops a process at any statement with it, or fills its disk.
  public var gate: (@Sendable (_ sql: String) throws -> Void)?

  /// Puts a runtime together from its parts.
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

  /// Makes an id of 128 random bits, as 32 hexadecimal digits.
  package func makeIdentifier() -> String {
    [random(), random()].map { bits in
      let digits = String(bits, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}
