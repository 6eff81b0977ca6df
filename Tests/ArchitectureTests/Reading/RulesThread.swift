import Dispatch

/// Where the repository is read: that takes seconds of a core, and the pool's few threads are all that other tests have.
enum RulesThread {
  private static let queue = DispatchQueue(label: "skein.rules")

  /// Runs one piece of reading after the other.
  static func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: .init(catching: body)) }
    }
  }
}
