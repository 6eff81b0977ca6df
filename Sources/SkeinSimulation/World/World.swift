package import Skein
import Synchronization

/// One seeded world: a run queue and a clock. The seed determines which job runs next. The clock moves only
/// when no job can run.
///
/// One thread drives the world; everything that happens follows from the seed.
package final class World: Sendable {
  private struct Timer {
    let at: Duration
    let id: UInt64
    let process: SimulatedProcess?
    let fire: UnsafeContinuation<Bool, Never>
  }
  private struct State {
    var generator: SplitMix
    var ready: [(job: UnownedJob, process: SimulatedProcess)] = []
    var now: Duration = .zero
    var timers: [Timer] = []
    var nextTimer: UInt64 = 0
    var steps = 0
    var trace: [String] = []
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    var statements: Set<String> = []
    var hasDeath = false
  }
  private let state: Mutex<State>
  private let keepsTrace: Bool
  private let keepsStatements: Bool

  /// Creates a world at time zero.
  ///
  /// - Parameters:
  ///   - keepsTrace: Whether to keep the notes. If false, the world keeps only the hash of the notes.
  ///   - keepsStatements: Whether to keep the SQL of the statements.
  package init(seed: UInt64, keepsTrace: Bool = true, keepsStatements: Bool = false) {
    state = Mutex(State(generator: SplitMix(seed: seed)))
    self.keepsTrace = keepsTrace
    self.keepsStatements = keepsStatements
  }

  /// The time since the world began.
  package var now: Duration { state.withLock { $0.now } }
  /// The true wall-clock time.
  package var wallTime: Timestamp { Timestamp(milliseconds: 1_700_000_000_000) + now }
  /// How many jobs have run.
  package var steps: Int { state.withLock { $0.steps } }
  /// The notes, with step and time.
  package var trace: [String] { state.withLock { $0.trace } }
  /// A hash of all notes, with step and second.
  package var hash: UInt64 { state.withLock { $0.hash } }

  /// The SQL of all statements that the processes' databases were asked to run.
  package var statements: Set<String> { state.withLock { $0.statements } }

  /// Notes a statement of a process's database.
  func noteStatement(_ sql: String) {
    if keepsStatements { state.withLock { _ = $0.statements.insert(sql) } }
  }

  /// Notes that a process died.
  func noteDeath() { state.withLock { $0.hasDeath = true } }

  /// Whether a process died since the last call.
  func noticesDeath() -> Bool {
    state.withLock { state in
      defer { state.hasDeath = false }
      return state.hasDeath
    }
  }

  /// 64 random bits.
  package func random() -> UInt64 { state.withLock { $0.generator.next() } }

  /// Notes an event, with the current step and time.
  package func note(_ what: @autoclosure () -> String) {
    let what = what()
    state.withLock { state in
      for byte in what.utf8 { state.hash = (state.hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
      for value in [UInt64(state.steps), UInt64(state.now.components.seconds)] {
        state.hash = (state.hash ^ value) &* 0x100_0000_01b3
      }
      if keepsTrace { state.trace.append("\(state.steps) \(state.now) \(what)") }
    }
  }

  // MARK: Running

  /// Runs until `isDone` returns true. Returns false if the world goes idle before, or if it has run `limit`
  /// jobs since time zero.
  package func run(limit: Int = 2_000_000, until isDone: () -> Bool) -> Bool {
    while !isDone() {
      guard steps < limit, step() else { return false }
    }
    return true
  }

  /// Lets `duration` pass; returns false if `limit` steps do not suffice.
  ///
  /// - Parameter pause: Called before each step. If it returns true, the run ends early and the result is
  ///   true.
  package func run(for duration: Duration, limit: Int = 200_000, unless pause: () -> Bool = { false }) -> Bool
  {
    let end = now + duration
    for _ in 0..<limit {
      if pause() { return true }
      if runJob() { continue }
      if !fireTimers(until: end) {
        state.withLock { $0.now = max($0.now, end) }
        return true
      }
    }
    return false
  }

  /// Runs jobs of one process alone. Returns true when no job is left, and false after `limit` jobs.
  package func drain(_ process: SimulatedProcess, limit: Int) -> Bool {
    for _ in 0..<limit where !runJob(of: process) { return true }
    return false
  }

  private func step() -> Bool { runJob() || fireTimers(until: nil) }

  private func runJob(of only: SimulatedProcess? = nil) -> Bool {
    let next = state.withLock { state -> (UnownedJob, SimulatedProcess)? in
      let eligible = only.map { only in state.ready.indices.filter { state.ready[$0].process === only } }
      let count = eligible?.count ?? state.ready.count
      guard count > 0 else { return nil }
      let draw = Int(state.generator.next() % UInt64(count))
      let index = eligible?[draw] ?? draw
      state.ready.swapAt(index, state.ready.count - 1)
      state.steps += 1
      return state.ready.removeLast()
    }
    guard let (job, process) = next else { return false }
    job.runSynchronously(on: process.asUnownedTaskExecutor())
    return true
  }

  private func fireTimers(until end: Duration?) -> Bool {
    let due = state.withLock { state -> [Timer] in
      guard let at = state.timers.map(\.at).min(), end.map({ at <= $0 }) ?? true else { return [] }
      state.now = max(at, state.now)
      var due = state.timers.filter { $0.at == at }
      state.timers.removeAll { $0.at == at }
      due.shuffle(using: &state.generator)
      return due
    }
    for timer in due { timer.fire.resume(returning: true) }
    return !due.isEmpty
  }

  // MARK: Called by processes

  func enqueue(_ job: UnownedJob, _ process: SimulatedProcess) {
    state.withLock { $0.ready.append((job, process)) }
  }

  func dropJobs(of process: SimulatedProcess) {
    state.withLock { state in state.ready.removeAll { $0.process === process } }
  }

  func endSleeps(of process: SimulatedProcess) {
    let ended = state.withLock { state -> [Timer] in
      let ended = state.timers.filter { $0.process === process }
      state.timers.removeAll { $0.process === process }
      return ended
    }
    for timer in ended { timer.fire.resume(returning: false) }
  }

  /// Suspends until `deadline`; throws `CancellationError` if the task is cancelled or the process dies.
  package func sleep(until deadline: Duration, in process: SimulatedProcess? = nil) async throws {
    let id = state.withLock { state in
      state.nextTimer += 1
      return state.nextTimer
    }
    let fired = await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        let isWaiting = state.withLock { state -> Bool in
          // A cancellation before this point has found no timer.
          if Task.isCancelled || process?.isDead == true { return false }
          state.timers.append(Timer(at: deadline, id: id, process: process, fire: continuation))
          return true
        }
        if !isWaiting { continuation.resume(returning: false) }
      }
    } onCancel: {
      let timer = state.withLock { state -> Timer? in
        guard let index = state.timers.firstIndex(where: { $0.id == id }) else { return nil }
        return state.timers.remove(at: index)
      }
      timer?.fire.resume(returning: false)
    }
    if !fired { throw CancellationError() }
  }
}
