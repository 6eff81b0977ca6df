import Dispatch

/// Reads the repository on a queue: reading takes seconds, and other tests need the few threads of the pool.
enum RulesThread {
  private static let queue = DispatchQueue(label: "skein.rules")

  /// Runs `body` on the queue.
  static func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: .init(catching: body)) }
    }
  }
}
