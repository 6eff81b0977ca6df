/// A time limit that also holds for work that ignores its cancellation.
enum Deadline {
  /// The time limit has passed.
  struct Passed: Error {}

  /// Runs some work; if it takes longer than `limit`, cancels it and returns without waiting for it.
  static func run<Value: Sendable>(
    within limit: Duration, _ work: @escaping @concurrent @Sendable () async throws -> Value
  ) async throws -> Value {
    let (ends, continuation) = AsyncThrowingStream.makeStream(of: Value.self)
    let worker = Task {
      do {
        continuation.yield(try await work())
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    let timer = Task {
      try await Task.sleep(for: limit)
      continuation.finish(throwing: Passed())
    }
    defer {
      worker.cancel()
      timer.cancel()
    }
    for try await value in ends { return value }
    throw CancellationError()
  }
}
