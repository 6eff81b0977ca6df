import Foundation
import SkeinSimulation
import Synchronization

/// Plays the steps and faults of a kill matrix, one at a time on each core.
final class CrashRun: Sendable {
  private struct State {
    var next = 0
    var cells: [Int: Result<KillMatrix.Cell, any Error>] = [:]
  }
  private let every: Int
  private let folder: URL
  private let pairs = KilledStep.allCases.flatMap { step in KillMatrix.faults.map { (step, $0) } }
  private let state = Mutex(State())
  private let progress: SimulationProgress

  /// - Parameters:
  ///   - every: The interval of the statements that are struck; 1 strikes at each statement.
  ///   - folder: The folder for the files of the steps.
  init(every: Int, in folder: URL) {
    self.every = every
    self.folder = folder
    progress = SimulationProgress(count: pairs.count, of: "rows")
  }

  /// The outcomes, in the order of the steps.
  ///
  /// - Throws: The first error of a step that could not be played.
  func cells() async throws -> [KillMatrix.Cell] {
    await Threads.onEachCore { self.playAll() }
    progress.end()
    return try state.withLock { state in try state.cells.sorted { $0.key < $1.key }.map { try $0.value.get() }
    }
  }

  private func playAll() {
    while let index = next() {
      let (step, fault) = pairs[index]
      let cell = Result { try KillMatrix.strike(step, with: fault, stride: every, in: folder) }
      let violations = state.withLock { state in
        state.cells[index] = cell
        return state.cells.values.reduce(0) { $0 + ((try? $1.get())?.violations.count ?? 0) }
      }
      progress.advance(violations: violations)
    }
  }

  private func next() -> Int? {
    state.withLock { state in
      guard state.next < pairs.count else { return nil }
      defer { state.next += 1 }
      return state.next
    }
  }
}
