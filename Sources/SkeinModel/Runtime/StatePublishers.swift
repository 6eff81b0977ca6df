import Synchronization

/// A publisher for each requested key. For up to `limit` keys that were never requested, the latest published value
/// is kept.
package final class StatePublishers<Key: Hashable & Sendable, Value: Sendable & Equatable>: Sendable {
  private struct State {
    var publishers: [Key: StatePublisher<Value>] = [:]
    /// The publishers in order of creation.
    var all: [StatePublisher<Value>] = []
    /// The values published for keys that were never requested.
    var unasked: [Key: Value] = [:]
    var isClosed = false
  }
  private let initial: Value
  private let limit = 10_000
  private let state = Mutex(State())

  /// - Parameter initial: the value of a key before its first publication.
  package init(_ initial: Value) { self.initial = initial }

  package subscript(key: Key) -> StatePublisher<Value> {
    state.withLock { state in
      if let known = state.publishers[key] { return known }
      let new = StatePublisher(state.unasked.removeValue(forKey: key) ?? initial)
      if state.isClosed { new.close() }
      state.publishers[key] = new
      state.all.append(new)
      return new
    }
  }

  package func publish(_ value: Value, for key: Key) {
    let publisher = state.withLock { state in
      if let known = state.publishers[key] { return known as StatePublisher<Value>? }
      if value == initial {
        state.unasked[key] = nil
      } else if state.unasked[key] != nil || state.unasked.count < limit {
        state.unasked[key] = value
      }
      return nil
    }
    publisher?.publish(value)
  }

  /// Publishes the initial value for every key.
  package func reset() {
    let all = state.withLock { state in
      state.unasked = [:]
      return state.all
    }
    for publisher in all { publisher.publish(initial) }
  }

  /// Ends every loop over the updates of every key.
  package func close() {
    let all = state.withLock { state in
      state.isClosed = true
      return state.all
    }
    for publisher in all { publisher.close() }
  }
}
