import Foundation
import Synchronization

/// Threads for simulations. A simulation blocks its thread, so it must not run on a thread of Swift's
/// concurrency pool.
enum Threads {
  /// Runs a body on a thread for each core, and returns when all have ended.
  static func onEachCore(_ body: @escaping @Sendable () -> Void) async {
    let left = Mutex(ProcessInfo.processInfo.activeProcessorCount)
    await withCheckedContinuation { continuation in
      for _ in 0..<left.withLock({ $0 }) {
        let thread = Thread {
          body()
          let isLast = left.withLock { left in
            left -= 1
            return left == 0
          }
          if isLast { continuation.resume() }
        }
        thread.stackSize = 8 << 20
        thread.start()
      }
    }
  }
}
