import Dispatch
import Synchronization

/// Runs jobs on a thread of its own, so that a body may block without a thread of the pool.
final class ThreadExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "storage-test")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

/// Runs jobs when told to, on the thread that tells it.
final class SteppedExecutor: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// Runs until there is nothing left.
  func drain() {
    while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}

/// Something that happens once and can be waited for, by tasks and by bodies.
final class Signal: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)
  private let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }

  func send() {
    semaphore.signal()
    continuation.finish()
  }

  /// Only on a ``ThreadExecutor``.
  func block() { semaphore.wait() }

  func wait() async { for await _ in stream {} }
}

/// What happened, in order.
final class Log<Entry: Sendable>: Sendable {
  private let list = Mutex<[Entry]>([])

  var entries: [Entry] { list.withLock { $0 } }

  func add(_ entry: Entry) { list.withLock { $0.append(entry) } }
}
