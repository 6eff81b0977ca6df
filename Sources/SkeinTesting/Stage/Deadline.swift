/// A limit that holds for work that does not end when it is cancelled, too.
enum Deadline {
  /// The limit is over.
  struct Passed: Error {}

  /// Does some work, and leaves it to itself, cancelled, when it takes longer than `limit`.
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
