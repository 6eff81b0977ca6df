import Foundation
import SkeinSimulation
import Synchronization

/// Plays many seeds on two threads and gathers what became of them.
final class SimulationRun: Sendable {
  private struct State {
    var next: UInt64
    var summary = SimulationSummary()
    var threads: Int
  }
  private let seeds: Range<UInt64>
  private let replayInterval: UInt64?
  private let endsAtViolation: Bool
  private let progress: SimulationProgress
  private let state: Mutex<State>
  private static let threads = 2

  /// - Parameter replaysEvery: of so many seeds, one is played again by another process, and has to give the same.
  init(
    _ seeds: Range<UInt64>, replaysEvery interval: UInt64?, endsAtViolation: Bool,
    _ progress: SimulationProgress
  ) {
    self.seeds = seeds
    replayInterval = interval
    self.endsAtViolation = endsAtViolation
    self.progress = progress
    state = Mutex(State(next: seeds.lowerBound, threads: Self.threads))
  }

  func result() async -> SimulationSummary {
    let start = ContinuousClock.now
    await withCheckedContinuation { continuation in
      for _ in 0..<Self.threads {
        // A world needs a thread of its own: the pool's must stay free.
        let thread = Thread { [self] in
          playAll()
          if state.withLock({ state -> Int in
            state.threads -= 1
            return state.threads
          }) == 0 {
            continuation.resume()
          }
        }
        thread.stackSize = 8 << 20
        thread.start()
      }
    }
    progress.end()
    var summary = state.withLock { $0.summary }
    summary.elapsed = start.duration(to: .now)
    return summary
  }

  private func playAll() {
    while let seed = nextSeed() {
      do {
        let outcome = try Simulation.run(seed: seed, in: Simulation.folder)
        state.withLock { $0.summary.add(outcome) }
        if let replayInterval, seed % replayInterval == 0 {
          let again = try Self.replay(seed)
          state.withLock { $0.summary.replayed(outcome, isSame: again == String(outcome.hash)) }
        }
      } catch {
        state.withLock { $0.summary.broke(seed, "\(error)") }
      }
      progress.advance(violations: state.withLock { $0.summary.violations.count })
    }
  }

  private func nextSeed() -> UInt64? {
    state.withLock { state in
      guard state.next < seeds.upperBound, !endsAtViolation || state.summary.holds else { return nil }
      defer { state.next += 1 }
      return state.next
    }
  }

  /// The hash that this very program gets in a process of its own.
  private static func replay(_ seed: UInt64) throws -> String {
    let output = Pipe()
    _ = try ChildProcess(
      ["simulate", "--hash", "--from", "\(seed)", "--seeds", "1"],
      files: (nil, output.fileHandleForWriting, nil))
    try output.fileHandleForWriting.close()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    return String(decoding: data, as: UTF8.self).split(separator: " ").last
      .map { $0.trimmingCharacters(in: .whitespacesAndNewlines) } ?? ""
  }
}
