import Synchronization

/// Whether the app is in the background, for those who then ask for less.
package final class AppPhase: Sendable {
  private let state = Mutex((isInBackground: false, doorbells: [Doorbell]()))

  package init() {}

  /// Makes a doorbell that changes ring.
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
