import Synchronization

/// One seeded world: a run queue whose next job the seed picks, and a clock that moves only when nothing can run.
///
/// It is driven by one thread; everything that happens in it follows from the seed.
final class World: Sendable {
  private struct Timer {
    let at: Duration
    let id: UInt64
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
  }
  private let state: Mutex<State>

  init(seed: UInt64) { state = Mutex(State(generator: SplitMix(seed: seed))) }

  var now: Duration { state.withLock { $0.now } }
  var steps: Int { state.withLock { $0.steps } }
  var trace: [String] { state.withLock { $0.trace } }

  func random() -> UInt64 { state.withLock { $0.generator.next() } }

  /// Notes what happened, with the step and the time at which it did.
  func note(_ what: String) {
    state.withLock { $0.trace.append("\($0.steps) \($0.now) \(what)") }
  }

  func enqueue(_ job: UnownedJob, _ process: SimulatedProcess) {
    state.withLock { $0.ready.append((job, process)) }
  }

  /// Runs until `isDone`, and says whether it got there before the world went idle or `limit` steps had passed.
  func run(limit: Int = 2_000_000, until isDone: () -> Bool) -> Bool {
    while !isDone() {
      guard steps < limit, step() else { return false }
    }
    return true
  }

  private func step() -> Bool {
    let next = state.withLock { state -> (UnownedJob, SimulatedProcess)? in
      guard !state.ready.isEmpty else { return nil }
      let index = Int(state.generator.next() % UInt64(state.ready.count))
      state.ready.swapAt(index, state.ready.count - 1)
      state.steps += 1
      return state.ready.removeLast()
    }
    if let (job, process) = next {
      job.runSynchronously(on: process.asUnownedTaskExecutor())
      return true
    }
    return fireNextTimers()
  }

  private func fireNextTimers() -> Bool {
    let due = state.withLock { state -> [Timer] in
      guard let at = state.timers.map(\.at).min() else { return [] }
      state.now = max(at, state.now)
      var due = state.timers.filter { $0.at == at }
      state.timers.removeAll { $0.at == at }
      due.shuffle(using: &state.generator)
      return due
    }
    for timer in due { timer.fire.resume(returning: true) }
    return !due.isEmpty
  }

  func sleep(until deadline: Duration) async throws {
    let id = state.withLock { state in
      state.nextTimer += 1
      return state.nextTimer
    }
    let fired = await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        let isWaiting = state.withLock { state -> Bool in
          // A cancellation before this point found no timer to end.
          if Task.isCancelled { return false }
          state.timers.append(Timer(at: deadline, id: id, fire: continuation))
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

/// The jobs of one simulated app; all apps of a world share its run queue.
final class SimulatedProcess: TaskExecutor {
  let world: World
  init(_ world: World) { self.world = world }
  func enqueue(_ job: consuming ExecutorJob) { world.enqueue(UnownedJob(job), self) }
}

/// A small random generator with a good spread, whose whole state is its seed.
struct SplitMix: RandomNumberGenerator, Sendable {
  private var state: UInt64
  init(seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
