import Synchronization

/// Blocks waiting tasks until it is opened.
final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var waiters: [AsyncStream<Never>.Continuation] = []
  }
  private let state = Mutex(State())

  func open() {
    let waiters = state.withLock { state in
      state.isOpen = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.finish() }
  }

  /// Returns when the gate is open or the task is cancelled.
  func wait() async {
    let (stream, waiter) = AsyncStream.makeStream(of: Never.self)
    state.withLock { state in
      if state.isOpen { waiter.finish() } else { state.waiters.append(waiter) }
    }
    for await _ in stream {}
  }
}
