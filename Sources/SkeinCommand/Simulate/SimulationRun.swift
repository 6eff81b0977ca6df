import Foundation
import SkeinSimulation
import Synchronization

/// Plays many seeds, one at a time on each core, and sums up the results.
final class SimulationRun: Sendable {
  enum Goal: Equatable {
    /// Plays every seed. Seeds that are multiples of the interval are played again by another process, which
    /// must produce the same hash.
    case allSeeds(replayInterval: UInt64)
    /// Stops at the first violation, or at the given time if it is not nil. Replays nothing.
    case firstViolation(before: ContinuousClock.Instant?)

    /// Whether another seed is to be played after the seeds of a summary.
    fileprivate func continues(after summary: SimulationSummary) -> Bool {
      guard case .firstViolation(let end) = self else { return true }
      return summary.holds && end.map { .now < $0 } ?? true
    }
  }
  private struct State {
    var next: UInt64
    var summary = SimulationSummary()
  }
  private let seeds: Range<UInt64>
  private let folder: URL
  private let order: SimulatedOrder?
  private let goal: Goal
  private let progress: SimulationProgress
  private let state: Mutex<State>

  init(
    _ seeds: Range<UInt64>, in folder: URL, order: SimulatedOrder? = nil, _ goal: Goal,
    _ progress: SimulationProgress
  ) {
    self.seeds = seeds
    self.folder = folder
    self.order = order
    self.goal = goal
    self.progress = progress
    state = Mutex(State(next: seeds.lowerBound))
  }

  func result() async -> SimulationSummary {
    let start = ContinuousClock.now
    await Threads.onEachCore { self.playAll() }
    progress.end()
    var summary = state.withLock { $0.summary }
    summary.elapsed = start.duration(to: .now)
    return summary
  }

  private func playAll() {
    while let seed = nextSeed() {
      do {
        let outcome = try Simulation.run(seed: seed, in: folder, order: order)
        state.withLock { $0.summary.add(outcome) }
        if case .allSeeds(let replayInterval) = goal, seed % replayInterval == 0 {
          let hash = Result { try replay(seed) }
          state.withLock { $0.summary.replayed(outcome, hash) }
        }
      } catch {
        state.withLock { $0.summary.failed(seed, error) }
      }
      progress.advance(violations: state.withLock { $0.summary.violations.count })
    }
  }

  private func nextSeed() -> UInt64? {
    state.withLock { state in
      guard state.next < seeds.upperBound, goal.continues(after: state.summary) else { return nil }
      defer { state.next += 1 }
      return state.next
    }
  }

  /// Plays a seed in another process of this program, and returns the hash.
  private func replay(_ seed: UInt64) throws -> String {
    let output = Pipe()
    _ = try ChildProcess(
      ["simulate", "--hash", "--from", "\(seed)", "--seeds", "1"]
        + (order.map { ["--order", $0.rawValue] } ?? []),
      files: (nil, output.fileHandleForWriting, nil))
    try output.fileHandleForWriting.close()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    return String(decoding: data, as: UTF8.self).split(separator: " ").last
      .map { $0.trimmingCharacters(in: .whitespacesAndNewlines) } ?? ""
  }
}
