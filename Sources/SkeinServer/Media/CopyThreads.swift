import Dispatch
import SkeinSockets
import SkeinWire
import Synchronization

/// Runs blocking requests to third parties' servers, a few at a time for each user and in total.
final class CopyThreads: Sendable {
  private let queue = DispatchQueue(label: "skein.copies", attributes: .concurrent)
  private let running = Mutex<[Wire.UserID]>([])
  private let maximum = 8
  private let maximumPerUser = 2

  /// Runs blocking work off the threads of the concurrency pool; throws a 503 if too many copies are running.
  func run<Value: Sendable>(
    for user: Wire.UserID, _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    let isFree = running.withLock { running in
      guard running.count < maximum, running.count(where: { $0 == user }) < maximumPerUser else {
        return false
      }
      running.append(user)
      return true
    }
    guard isFree else {
      throw Refusal(
        status: 503, code: .unavailable, message: "Too many files are being copied.",
        headers: ["Retry-After": "1"])
    }
    defer {
      running.withLock { running in
        if let index = running.firstIndex(of: user) { running.remove(at: index) }
      }
    }
    return try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result(catching: work)) }
    }
  }
}
