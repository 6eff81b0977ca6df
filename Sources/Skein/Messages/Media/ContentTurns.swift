import Synchronization

/// Lets the tasks that work on the same content take turns.
final class ContentTurns: Sendable {
  private struct State {
    var taken: [String] = []
    var waiting: [(hash: String, doorbell: Doorbell)] = []
  }
  private let state = Mutex(State())

  /// Waits until no other task works on this content, and begins the turn of the calling task.
  ///
  /// - Throws: `CancellationError` if the calling task is cancelled.
  func take(_ hash: String) async throws {
    while true {
      try Task.checkCancellation()
      let doorbell = state.withLock { state -> Doorbell? in
        guard state.taken.contains(hash) else {
          state.taken.append(hash)
          return nil
        }
        let doorbell = Doorbell()
        state.waiting.append((hash, doorbell))
        return doorbell
      }
      guard let doorbell else { return }
      await doorbell.wait()
    }
  }

  /// Ends the turn, and wakes the tasks that wait for this content.
  func end(_ hash: String) {
    let waiting = state.withLock { state in
      state.taken.removeAll { $0 == hash }
      defer { state.waiting.removeAll { $0.hash == hash } }
      return state.waiting.filter { $0.hash == hash }
    }
    for entry in waiting { entry.doorbell.ring() }
  }
}
