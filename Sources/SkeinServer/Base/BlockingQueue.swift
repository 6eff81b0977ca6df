import Dispatch

/// Runs blocking or long work off the threads of the concurrency pool, one piece of work at a time.
struct BlockingQueue: Sendable {
  private let queue: DispatchQueue

  /// Makes a queue; debuggers show its label.
  init(_ label: String) { queue = DispatchQueue(label: label) }

  /// Runs the work after all work submitted earlier.
  func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result(catching: work)) }
    }
  }
}
