import Synchronization

/// One published value for each key, made when it is first asked for.
final class StatePublishers<Key: Hashable & Sendable, Value: Sendable & Equatable>: Sendable {
  private struct State {
    var publishers: [Key: StatePublisher<Value>] = [:]
    /// In the order in which they were made.
    var all: [StatePublisher<Value>] = []
    var isClosed = false
  }
  private let initial: Value
  private let state = Mutex(State())

  /// - Parameter initial: the value of a key that nothing was published for.
  init(_ initial: Value) { self.initial = initial }

  subscript(key: Key) -> StatePublisher<Value> {
    state.withLock { state in
      if let known = state.publishers[key] { return known }
      let new = StatePublisher(initial)
      if state.isClosed { new.close() }
      state.publishers[key] = new
      state.all.append(new)
      return new
    }
  }

  func publish(_ value: Value, for key: Key) {
    let isAsked = state.withLock { $0.publishers[key] != nil }
    if isAsked || value != initial { self[key].publish(value) }
  }

  /// Nothing is known of any key any more.
  func reset() { for publisher in state.withLock(\.all) { publisher.publish(initial) } }

  /// Ends every loop over updates.
  func close() {
    let all = state.withLock { state in
      state.isClosed = true
      return state.all
    }
    for publisher in all { publisher.close() }
  }
}
