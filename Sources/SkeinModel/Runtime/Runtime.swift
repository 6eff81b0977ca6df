#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The nondeterministic parts that the engine uses: clocks, sleep, random numbers, tasks and a folder.
///
/// 1. The engine has no other source of time, randomness or tasks.
/// 2. An app uses ``system(directory:)``. A simulation provides parts that depend only on a seed, so a run can be
///    repeated exactly.
public struct Runtime: Sendable {
  /// The device's wall clock.
  public var now: @Sendable () -> Timestamp
  /// The time since a fixed moment; this time never jumps or goes back.
  public var uptime: @Sendable () -> Duration
  /// Suspends until the uptime reaches a deadline; throws `CancellationError` when the task is cancelled.
  public var sleepUntil: @Sendable (Duration) async throws -> Void
  /// 64 random bits.
  public var random: @Sendable () -> UInt64
  /// The executor on which ``spawn(_:)`` starts tasks; nil means the system's thread pool.
  public var executor: (any TaskExecutor)?
  /// The folder that holds the account's database and media.
  public var directory: URL
  /// Identifies this installation of the app. An app may provide its own id if it stores the id outside of backups.
  /// If nil, the engine stores an id in a file beside the database; a copy of the folder is detected by the inode
  /// number of that file.
  public var installation: String?
  /// Identifies the time from one start of the machine to the next; a power cut changes the value. If the
  /// value has changed, the engine assumes that unsynchronized writes about attempts to send may be lost. If
  /// nil, the engine synchronizes all these writes to the disk, which is slower.
  public var boot: String?
  /// Receives the SQL of each database statement before the statement runs, except ROLLBACK and the
  /// statements that check for encryption and set the key. Also receives `FILE COPY` before an attached file
  /// is copied, and `FILE REMOVE` before a copy or a file of an erased account is removed. If the gate throws,
  /// the statement or the change of the file fails. Nil allows everything. A simulation uses the gate to stop
  /// a process at any statement, or to simulate a full disk.
  public var gate: (@Sendable (_ sql: String) throws -> Void)?
  /// The name of the SQLite file system (VFS) that holds the database; nil for the default file system. A
  /// simulation uses a file system that can lose unsynchronized writes at a power cut.
  public var fileSystem: String?

  /// Creates a runtime from its parts.
  public init(
    now: @escaping @Sendable () -> Timestamp, uptime: @escaping @Sendable () -> Duration,
    sleepUntil: @escaping @Sendable (Duration) async throws -> Void,
    random: @escaping @Sendable () -> UInt64, executor: (any TaskExecutor)? = nil, directory: URL,
    installation: String? = nil, boot: String? = nil,
    gate: (@Sendable (_ sql: String) throws -> Void)? = nil
  ) {
    self.now = now
    self.uptime = uptime
    self.sleepUntil = sleepUntil
    self.random = random
    self.executor = executor
    self.directory = directory
    self.installation = installation
    self.boot = boot
    self.gate = gate
  }

  /// Suspends for a duration; throws `CancellationError` when the task is cancelled.
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
