import Synchronization

/// A value with any number of observers; a slow observer receives the latest value and may miss earlier values.
package final class StatePublisher<Value: Sendable & Equatable>: Sendable {
  private struct State {
    var value: Value
    var listeners: [(id: Int, continuation: AsyncStream<Value>.Continuation)] = []
    var nextID = 0
    var isClosed = false
  }
  private let state: Mutex<State>

  package init(_ value: Value) { state = Mutex(State(value: value)) }

  package var value: Value { state.withLock { $0.value } }

  package func publish(_ value: Value) {
    let listeners = state.withLock { state -> [AsyncStream<Value>.Continuation] in
      guard state.value != value else { return [] }
      state.value = value
      // A key path of a generic type is looked up by name in each call.
      return state.listeners.map { $0.continuation }
    }
    for listener in listeners { listener.yield(value) }
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
