import Synchronization

/// A value with any number of observers; a slow observer receives the latest value and may miss earlier values.
package final class StatePublisher<Value: Sendable & Equatable>: Sendable {
  private struct State {
    var value: Value
    var listeners: [(id: Int, continuation: AsyncStream<Value>.Continuation)] = []
    var nextID = 0
    var isClosed = false
    /// Whether a thread is yielding the value.
    var isDelivering = false
    /// Whether the value has changed since the thread took the value that it is yielding.
    var isChanged = false

    // Not `map(\.continuation)`: each call would look up the key path of a generic type by name.
    var continuations: [AsyncStream<Value>.Continuation] { listeners.map { $0.continuation } }
  }
  private let state: Mutex<State>

  package init(_ value: Value) { state = Mutex(State(value: value)) }

  package var value: Value { state.withLock { $0.value } }

  package func publish(_ value: Value) {
    let mustDeliver = state.withLock { state in
      guard state.value != value else { return false }
      state.value = value
      if state.isDelivering {
        state.isChanged = true
        return false
      }
      state.isDelivering = true
      return true
    }
    if mustDeliver { deliver() }
  }

  /// Yields the value until it no longer changes. Only one thread at a time yields values, so that each
  /// listener receives the latest value last. The lock is not held during a yield: the yield may wait for the
  /// cancellation of a listener's task. This cancellation calls `onTermination`, which waits for the lock.
  private func deliver() {
    var ended: [AsyncStream<Value>.Continuation]?
    while ended == nil {
      let (value, listeners) = state.withLock { ($0.value, $0.continuations) }
      for listener in listeners { listener.yield(value) }
      ended = state.withLock { state in
        if state.isChanged {
          state.isChanged = false
          return nil
        }
        state.isDelivering = false
        return state.isClosed ? state.continuations : []
      }
    }
    for listener in ended ?? [] { listener.finish() }
  }

  /// Ends every loop over ``updates``, after the latest value.
  package func close() {
    let listeners = state.withLock { state in
      state.isClosed = true
      return state.isDelivering ? [] : state.continuations
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
