import Skein
import Synchronization

/// Publishes the cards to redraw; reloads that a slow listener has not yet received are merged.
final class ReloadPublisher: Sendable {
  private struct Listener {
    var pending: Set<LocalMessageID> = []
    let wake: AsyncStream<Void>.Continuation
  }
  private struct State {
    var listeners: [Int: Listener] = [:]
    var count = 0
    var isClosed = false
  }
  private let state = Mutex(State())

  func publish(_ cards: Set<LocalMessageID>) {
    let wakes = state.withLock { state in
      for number in state.listeners.keys { state.listeners[number]?.pending.formUnion(cards) }
      return state.listeners.values.map(\.wake)
    }
    for wake in wakes { wake.yield() }
  }

  /// Finishes every stream.
  func close() {
    let wakes = state.withLock { state in
      state.isClosed = true
      return state.listeners.values.map(\.wake)
    }
    for wake in wakes { wake.finish() }
  }

  var updates: AsyncStream<Set<LocalMessageID>> {
    let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state in
      state.count += 1
      state.listeners[state.count] = Listener(wake: wake)
      if state.isClosed { wake.finish() }
      return state.count
    }
    return AsyncStream { [weak self] in
      for await _ in wakes {
        if let pending = self?.drainPending(of: number), !pending.isEmpty { return pending }
      }
      return nil
    } onCancel: { [weak self] in
      self?.remove(number)
    }
  }

  private func drainPending(of number: Int) -> Set<LocalMessageID> {
    state.withLock { state in
      defer { state.listeners[number]?.pending = [] }
      return state.listeners[number]?.pending ?? []
    }
  }

  private func remove(_ number: Int) {
    state.withLock { $0.listeners.removeValue(forKey: number) }?.wake.finish()
  }
}
