import Synchronization

/// Tells the engine's parts whether the app is in the background. In the background, these parts do less.
package final class AppPhase: Sendable {
  private let state = Mutex((isInBackground: false, doorbells: [Doorbell]()))

  package init() {}

  /// Creates a doorbell that rings at every change.
  package func doorbell() -> Doorbell {
    let doorbell = Doorbell()
    state.withLock { $0.doorbells.append(doorbell) }
    return doorbell
  }

  package var isInBackground: Bool {
    get { state.withLock { $0.isInBackground } }
    set {
      let woken = state.withLock { state in
        defer { state.isInBackground = newValue }
        return state.isInBackground == newValue ? [] : state.doorbells
      }
      for doorbell in woken { doorbell.ring() }
    }
  }
}
