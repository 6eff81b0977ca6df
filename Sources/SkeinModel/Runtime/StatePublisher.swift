import Synchronization

/// A value with any number of observers; a slow observer receives the latest value and may miss earlier values.
package final class StatePublisher<Value: Sendable & Equatable>: Sendable {
  private struct State {
    var value: Value
    var listeners: [(id: Int, continuation: AsyncStream<Value>.Continuation)] = []
    var nextID = 0
    var isClosed = false
    /// Whether a thread yields the value, and whether the value has changed since the thread began.
    var isDelivering = false
    var isChanged = false
  }
  private let state: Mutex<State>

  package init(_ value: Value) { state = Mutex(State(value: value)) }

  package var value: Value { state.withLock { $0.value } }

  package func publish(_ value: Value) {
    let isDelivering = state.withLock { state in
      guard state.value != value else { return true }
      state.value = value
      defer { state.isDelivering = true }
      state.isChanged = state.isDelivering
      return state.isDelivering
    }
    if !isDelivering { deliver() }
  }

  /// Yields the value until it no longer changes. One thread at a time does this, so that each listener ends with the
  /// latest value. The lock is not held meanwhile: a yield waits for a task that is being cancelled, and that task's
  /// stream waits for the lock.
  private func deliver() {
    while true {
      let (value, listeners) = state.withLock { ($0.value, $0.listeners.map { $0.continuation }) }
      for listener in listeners { listener.yield(value) }
      let isDone = state.withLock { state in
        defer { state.isChanged = false }
        state.isDelivering = state.isChanged
        return !state.isChanged
      }
      if isDone { return }
    }
  }

  /// Ends every loop over ``updates``.
  package func close() {
    let listeners = state.withLock { state in
      state.isClosed = true
      return state.listeners.map { $0.continuation }
    }
    for listener in listeners { listener.finish() }
  }

  /// The current value, and then each change of the value; a slow loop may miss changes, but not the latest value.
  package var updates: AsyncStream<Value> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let id = state.withLock { state in
        state.nextID += 1
        state.listeners.append((state.nextID, continuation))
        continuation.yield(state.value)
        if state.isClosed { continuation.finish() }
        return state.nextID
      }
      continuation.onTermination = { [weak self] _ in
        self?.state.withLock { state in state.listeners.removeAll { $0.id == id } }
      }
    }
  }
}
