import SkeinServer
import Synchronization

/// A server's clock that advances only when a test says so.
final class TestClock: Sendable {
  private struct Sleeper {
    let until: Int64
    let wake: CheckedContinuation<Void, Never>
  }
  private struct State {
    var now: Int64
    var sleepers: [Int: Sleeper] = [:]
    var count = 0
  }

  private let state: Mutex<State>

  init(now: Int64 = 1_760_000_000_000) { state = Mutex(State(now: now)) }

  var now: Int64 { state.withLock { $0.now } }

  /// The clock in the server's form.
  var server: ServerClock { ServerClock(now: { self.now }, sleep: { try await self.sleep(until: $0) }) }

  /// Moves forward or back, and ends the sleeps that are due.
  func advance(by milliseconds: Int64) {
    let due = state.withLock { state in
      state.now += milliseconds
      let due = state.sleepers.filter { $0.value.until <= state.now }
      for key in due.keys { state.sleepers[key] = nil }
      return due.values.map(\.wake)
    }
    for wake in due { wake.resume() }
  }

  private func sleep(until time: Int64) async throws {
    let key = state.withLock { state in
      state.count += 1
      return state.count
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { wake in
        let due = state.withLock { state in
          guard state.now < time, !Task.isCancelled else { return true }
          state.sleepers[key] = Sleeper(until: time, wake: wake)
          return false
        }
        if due { wake.resume() }
      }
    } onCancel: {
      state.withLock { $0.sleepers.removeValue(forKey: key)?.wake }?.resume()
    }
    try Task.checkCancellation()
  }
}
