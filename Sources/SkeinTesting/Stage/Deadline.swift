import Dispatch

/// A time limit that also holds for work that ignores its cancellation or blocks its thread.
enum Deadline {
  /// Thrown when the time limit has passed.
  struct Passed: Error {}

  /// The queue of the timers. Its thread is not from Swift's pool, where blocked tasks may occupy all threads.
  private static let timers = DispatchQueue(label: "skein.testing.deadlines")

  /// Runs some work. Throws ``Passed`` if the work takes longer than `limit`, and `CancellationError` if the
  /// current task is cancelled. In both cases, cancels the work and does not wait for its end.
  static func run<Value: Sendable>(
    within limit: Duration, _ work: @escaping @concurrent @Sendable () async throws -> Value
  ) async throws -> Value {
    let (ends, continuation) = AsyncThrowingStream.makeStream(of: Value.self)
    let worker = Task(executorPreference: WorkQueue()) {
      do {
        continuation.yield(try await work())
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    let timer = DispatchWorkItem { continuation.finish(throwing: Passed()) }
    timers.asyncAfter(deadline: .now() + limit / .seconds(1), execute: timer)
    defer {
      worker.cancel()
      timer.cancel()
    }
    for try await value in ends { return value }
    throw CancellationError()
  }

  /// Runs some work even if the current task is cancelled; returns false if the work takes longer than `limit`.
  static func finishes(
    within limit: Duration, _ work: @escaping @concurrent @Sendable () async -> Void
  ) async -> Bool {
    let worker = Task(executorPreference: WorkQueue()) {
      do {
        try await run(within: limit, work)
        return true
      } catch {
        return false
      }
    }
    return await worker.value
  }
}

/// Runs one task on a thread of its own. If the task blocks the thread, no other task is affected.
final class WorkQueue: TaskExecutor {
  // The queue is serial: each serial queue has a thread of its own, but concurrent queues share one thread per core.
  private let queue = DispatchQueue(label: "skein.testing.work")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
