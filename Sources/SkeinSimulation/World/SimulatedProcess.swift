#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif
package import Skein
import SkeinStorage
import Synchronization

/// One simulated app: its jobs stand in the world's run queue, and it can die between any two of them or at any
/// statement of its database.
package final class SimulatedProcess: TaskExecutor {
  private struct State {
    var isDead = false
    var isDropped = false
    var isDiskFull = false
    var statementsLeft: Int?
    var statements = 0
  }
  /// Where it lives.
  package let world: World
  private let state = Mutex(State())

  /// Makes a process that nothing runs in yet.
  package init(_ world: World) { self.world = world }

  /// Takes a job for the world's run queue; those of a process that was dropped are lost with it.
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if !state.withLock({ $0.isDropped }) { world.enqueue(job, self) }
  }

  /// Whether it was killed: nothing it does from then on may reach disk or network.
  package var isDead: Bool { state.withLock { $0.isDead } }

  /// How many statements its databases have run.
  package var statements: Int { state.withLock { $0.statements } }

  /// Ends it: its database and network refuse it, and its sleeps end.
  package func kill() {
    state.withLock { $0.isDead = true }
    world.endSleeps(of: self)
  }

  /// Kills it when it has run so many more statements.
  package func kill(afterStatements count: Int?) { state.withLock { $0.statementsLeft = count } }

  /// Takes away the room on its disk, or gives it back.
  package func setDiskFull(_ isFull: Bool) { state.withLock { $0.isDiskFull = isFull } }

  /// Forgets it: what it would still have run is lost.
  package func drop() {
    state.withLock { $0.isDropped = true }
    world.dropJobs(of: self)
  }

  /// Throws once the process is dead.
  package func checkAlive() throws {
    if isDead { throw ProcessDied() }
  }

  /// What an engine in this process takes time, randomness and tasks from.
  package func runtime(
    in directory: URL, now: @escaping @Sendable () -> Timestamp, draw: (@Sendable () -> UInt64)? = nil
  ) -> Runtime {
    Runtime(
      now: now, uptime: { [world] in world.now },
      sleepUntil: { [self] in try await world.sleep(until: $0, in: self) },
      random: draw ?? { [world] in world.random() }, executor: self, directory: directory,
      gate: { [self] in try pass($0) })
  }

  /// The gate of its databases.
  private func pass(_ sql: String) throws {
    let refusal = state.withLock { state -> (any Error)? in
      state.statements += 1
      if let left = state.statementsLeft {
        state.statementsLeft = left - 1
        if left <= 0 { state.isDead = true }
      }
      if state.isDead { return ProcessDied() }
      if state.isDiskFull, Self.writes.contains(where: sql.hasPrefix) {
        return StorageError(.full, "The disk is full.")
      }
      return nil
    }
    if let refusal { throw refusal }
  }

  private static let writes = ["INSERT", "UPDATE", "DELETE", "CREATE", "COMMIT"]
}

/// A dead process tried to go on.
package struct ProcessDied: Error {
  /// There is nothing to say about it.
  package init() {}
}
