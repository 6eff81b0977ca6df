import Synchronization

/// Wakes the one task that waits; if no task waits, the ring is kept for the next wait.
///
/// Several rings before a wait count as one ring, so the woken task has to check all its work.
package final class Doorbell: Sendable {
  private struct State {
    var rung = false
    var waiter: UnsafeContinuation<Void, Never>?
  }
  private let state = Mutex(State())

  package init() {}

  package func ring() {
    let waiter = state.withLock { state -> UnsafeContinuation<Void, Never>? in
      defer { state.waiter = nil }
      if state.waiter == nil { state.rung = true }
      return state.waiter
    }
    waiter?.resume()
  }

  /// Returns at the next ring, or when the task is cancelled. Returns at once if the bell rang after the last wait.
  package func wait() async {
    await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        let goOn = state.withLock { state -> Bool in
          if state.rung || Task.isCancelled {
            state.rung = false
            return true
          }
          state.waiter = continuation
          return false
        }
        if goOn { continuation.resume() }
      }
    } onCancel: {
      ring()
    }
  }

  /// Returns at the next ring, at `deadline`, or when the task is cancelled, whichever comes first; nil means no
  /// deadline.
  package func wait(until deadline: Duration?, _ runtime: Runtime) async {
    guard let deadline else { return await wait() }
    let timer = runtime.spawn {
      try await runtime.sleepUntil(deadline)
      self.ring()
    }
    await wait()
    timer.cancel()
  }
}
