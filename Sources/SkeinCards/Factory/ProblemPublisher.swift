import Synchronization

/// Keeps the latest failures of plugins and publishes new ones.
final class ProblemPublisher: Sendable {
  private struct State {
    var problems: [CardProblem] = []
    var listeners: [Int: AsyncStream<CardProblem>.Continuation] = [:]
    var count = 0
    var isClosed = false
  }
  private static let most = 100
  private let state = Mutex(State())

  var all: [CardProblem] { state.withLock { $0.problems } }

  func publish(_ problem: CardProblem) {
    let listeners = state.withLock { state in
      state.problems.append(problem)
      if state.problems.count > Self.most { state.problems.removeFirst() }
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.yield(problem) }
  }

  /// Finishes every stream.
  func close() {
    let listeners = state.withLock { state in
      state.isClosed = true
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.finish() }
  }

  var updates: AsyncStream<CardProblem> {
    AsyncStream(bufferingPolicy: .bufferingNewest(Self.most)) { continuation in
      let number = state.withLock { state in
        state.count += 1
        state.listeners[state.count] = continuation
        if state.isClosed { continuation.finish() }
        return state.count
      }
      continuation.onTermination = { [weak self] _ in
        _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
      }
    }
  }
}
