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
  /// What a signal does; until somebody says otherwise it ends the process.
  private static let action = Mutex<@Sendable (Int32) -> Void>({ exit(128 + $0) })

  /// Starts the process's work and gives the main thread to the signals, for good.
  ///
  /// Must be called before any other thread exists, for each inherits what is blocked here. Writing to a pipe that
  /// nobody reads any more becomes an error instead of a signal.
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

  /// From now on, signals do this and no longer end the process; it is called on the main thread.
  static func on(_ body: @escaping @Sendable (Int32) -> Void) {
    action.withLock { $0 = body }
  }

  /// Returns at the next signal; a later one ends the process at once.
  static func wait() async {
    await withCheckedContinuation { continuation in
      on { _ in
        on { exit(128 + $0) }
        continuation.resume()
      }
    }
  }
}
