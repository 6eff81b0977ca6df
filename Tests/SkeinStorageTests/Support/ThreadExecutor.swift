import Dispatch
import Synchronization

/// Runs jobs on a dispatch queue, so that the closure of a transaction may block without blocking a thread of
/// Swift's concurrency pool.
final class ThreadExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "storage-test")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

/// Runs jobs on the thread that calls ``drain()``.
final class SteppedExecutor: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// Runs until the queue is empty.
  func drain() {
    while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}

/// A one-time event. Tasks can wait for the event, and one thread can block until then.
final class Signal: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)
  private let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }

  func send() {
    semaphore.signal()
    continuation.finish()
  }

  /// Blocks the thread; call only on a ``ThreadExecutor``.
  func block() { semaphore.wait() }

  func wait() async { for await _ in stream {} }
}

/// A list of events in order.
final class Log<Entry: Sendable>: Sendable {
  private let list = Mutex<[Entry]>([])

  var entries: [Entry] { list.withLock { $0 } }

  func add(_ entry: Entry) { list.withLock { $0.append(entry) } }
}
