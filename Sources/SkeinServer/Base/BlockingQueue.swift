import Dispatch

/// Runs work that blocks or computes for long, one piece after the other, off the threads that async code shares.
struct BlockingQueue: Sendable {
  private let queue: DispatchQueue

  /// A queue; the label shows in a debugger.
  init(_ label: String) { queue = DispatchQueue(label: label) }

  /// Runs the work after all that was given before.
  func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result(catching: work)) }
    }
  }
}
