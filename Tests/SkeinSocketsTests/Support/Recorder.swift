import Synchronization

/// Collects values from a handler.
final class Recorder<Value: Sendable>: Sendable {
  private let state = Mutex<[Value]>([])

  var values: [Value] { state.withLock { $0 } }

  func add(_ value: Value) {
    state.withLock { $0.append(value) }
  }
}

/// A gate at which handlers wait until a test opens the gate.
final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  /// Waits until the gate is open, or until any task that waits at the gate is cancelled.
  func pass() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let passes = state.withLock { state in
          if !state.isOpen, !Task.isCancelled {
            state.waiting.append(continuation)
            return false
          }
          return true
        }
        if passes { continuation.resume() }
      }
    } onCancel: {
      release(opens: false)
    }
  }

  func open() {
    release(opens: true)
  }

  private func release(opens: Bool) {
    let waiting = state.withLock { state in
      if opens { state.isOpen = true }
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}
