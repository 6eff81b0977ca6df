import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The signals that ask a process to end: SIGINT and SIGTERM.
enum TerminationSignals {
  /// The action of a signal. The default action ends the process.
  private static let action = Mutex<@Sendable (Int32) -> Void>({ end($0) })
  private static let lastSteps = Mutex<[@Sendable () -> Void]>([])

  /// Starts the process's work and handles signals on the main thread from then on.
  ///
  /// Call this method before any other thread exists, since threads inherit the signal mask. Writing to a
  /// pipe without a reader becomes an error instead of a signal.
  static func serve(_ work: @escaping @Sendable () async -> Void) -> Never {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    signal(SIGPIPE, SIG_IGN)
    Task { await work() }
    while true {
      var number: Int32 = 0
      guard sigwait(&signals, &number) == 0 else { continue }
      let action = action.withLock { $0 }
      action(number)
    }
  }

  /// Replaces the action of signals. The action runs on the main thread.
  static func on(_ body: @escaping @Sendable (Int32) -> Void) {
    action.withLock { $0 = body }
  }

  /// Adds a step that runs before a signal ends the process at once.
  static func atEnd(_ step: @escaping @Sendable () -> Void) {
    lastSteps.withLock { $0.append(step) }
  }

  /// Waits for the next signal. The signal after that ends the process at once.
  static func wait() async {
    await withCheckedContinuation { continuation in
      on { _ in
        on { end($0) }
        continuation.resume()
      }
    }
  }

  /// Ends the process at once. Skips the exit handlers, which may free what other threads still use.
  private static func end(_ number: Int32) -> Never {
    for step in lastSteps.withLock({ $0 }) { step() }
    _exit(128 + number)
  }
}
