import Synchronization

/// Counts the faults of a world, by the activity during which they struck.
final class FaultLog: Sendable {
  private let counts = Mutex<[SimulatedFault: [SimulatedActivity: Int]]>([:])

  func count(_ fault: SimulatedFault, during activity: SimulatedActivity) {
    counts.withLock { $0[fault, default: [:]][activity, default: 0] += 1 }
  }

  var all: [SimulatedFault: [SimulatedActivity: Int]] { counts.withLock { $0 } }
}
