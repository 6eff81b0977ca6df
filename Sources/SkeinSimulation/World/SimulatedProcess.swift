#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif
internal import CPowerCut
package import Skein
import SkeinStorage
import Synchronization

/// A simulated app process. Its jobs run in the world's queue. The process can die between two jobs, or at
/// any statement of its database.
package final class SimulatedProcess: TaskExecutor {
  private struct State {
    var isDead = false
    var isDropped = false
    var losesPower = false
    var isDiskFull = false
    var isUnreadable = false
    var statementsLeft: Int?
    var statementsUntilFull: Int?
    var statements = 0
  }
  /// The world of the process.
  package let world: World
  private let state = Mutex(State())

  /// Creates a process without jobs.
  package init(_ world: World) { self.world = world }

  /// Adds a job to the world's run queue. Discards the job if the process was dropped.
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if !state.withLock({ $0.isDropped }) { world.enqueue(job, self) }
  }

  /// Whether the process was killed. A killed process can't reach disk or network.
  package var isDead: Bool { state.withLock { $0.isDead } }

  /// The number of statements that the process's databases were asked to run, and of changes of its files.
  package var statements: Int { state.withLock { $0.statements } }

  /// Kills the process: its database and network calls fail, and its sleeps end.
  package func kill() {
    state.withLock { $0.isDead = true }
    world.noteDeath()
    world.endSleeps(of: self)
  }

  /// Whether the process ends with a power cut, which loses all writes that are not synchronized.
  package var losesPower: Bool { state.withLock { $0.losesPower } }

  /// Makes the next kill of the process a power cut.
  package func losePower() { state.withLock { $0.losesPower = true } }

  /// Kills the process after `count` more statements; nil cancels a planned kill.
  package func kill(afterStatements count: Int?) { state.withLock { $0.statementsLeft = count } }

  /// Makes the process's disk full, or frees space again.
  package func setDiskFull(_ isFull: Bool) { state.withLock { $0.isDiskFull = isFull } }

  /// Makes every fourth read of the process's databases fail, on average, or ends this.
  package func setUnreadable(_ isUnreadable: Bool) { state.withLock { $0.isUnreadable = isUnreadable } }

  /// Makes the process's disk full after `count` more statements; nil cancels a planned full disk.
  package func fillDisk(afterStatements count: Int?) { state.withLock { $0.statementsUntilFull = count } }

  /// Whether a kill or a full disk is planned and has not happened.
  package var hasPlannedFault: Bool {
    state.withLock { !$0.isDead && $0.statementsLeft != nil || $0.statementsUntilFull != nil }
  }

  /// Discards the process and its remaining jobs.
  package func drop() {
    state.withLock { $0.isDropped = true }
    world.dropJobs(of: self)
  }

  /// Throws once the process is dead.
  package func checkAlive() throws {
    if isDead { throw ProcessDied() }
  }

  /// The runtime of an engine in this process: its source of time, randomness and tasks.
  package func runtime(
    in directory: URL, now: @escaping @Sendable () -> Timestamp, draw: (@Sendable () -> UInt64)? = nil
  ) -> Runtime {
    var runtime = Runtime(
      now: now, uptime: { [world] in world.now },
      sleepUntil: { [self] in try await world.sleep(until: $0, in: self) },
      random: draw ?? { [world] in world.random() }, executor: self, directory: directory,
      gate: { [self] in try pass($0) })
    runtime.fileSystem = cpowercut_file_system().map { String(cString: $0) }
    return runtime
  }

  /// Called before every statement of the process's databases, and before its changes of files.
  private func pass(_ sql: String) throws {
    if !sql.hasPrefix("FILE") { world.noteStatement(sql) }
    let refusal = state.withLock { state -> (any Error)? in
      state.statements += 1
      if let left = state.statementsLeft {
        state.statementsLeft = left - 1
        if left <= 0 { state.isDead = true }
      }
      if state.isDead { return ProcessDied() }
      if let left = state.statementsUntilFull {
        state.statementsUntilFull = left > 0 ? left - 1 : nil
        if left <= 0 { state.isDiskFull = true }
      }
      if state.isDiskFull, Self.writes.contains(where: sql.hasPrefix) {
        return StorageError(.full, "The disk is full.")
      }
      if state.isUnreadable, sql.hasPrefix("SELECT"), world.random() % 4 == 0 {
        return StorageError(.io, "The disk can't be read.")
      }
      return nil
    }
    if refusal is ProcessDied { world.noteDeath() }
    if let refusal { throw refusal }
  }

  private static let writes = ["INSERT", "UPDATE", "DELETE", "CREATE", "COMMIT", "FILE COPY"]
}

/// Thrown when a dead process tries to continue.
package struct ProcessDied: Error {
  /// Creates the error.
  package init() {}
}
