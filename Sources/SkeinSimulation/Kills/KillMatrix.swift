#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
import Skein

/// Kills a client or fills its disk at each statement of a step of its work, and checks the promises.
public enum KillMatrix {
  /// The faults that strike at each statement. The disk is full from the statement until the step ends, or for
  /// two minutes if the step does not end.
  public static let faults: [SimulatedFault] = [.crashAtStatement, .powerCut, .diskFull]

  /// The outcome of one fault at the statements of one step.
  public struct Cell: Sendable {
    /// The step.
    public let step: KilledStep
    /// The fault.
    public let fault: SimulatedFault
    /// The number of statements at which the fault struck.
    public let statements: Int
    /// The broken promises; `step` of a violation is the number of statements before the fault.
    public let violations: [SimulationViolation]
  }

  /// Strikes at each statement of a step in turn, and blocks the calling thread meanwhile.
  ///
  /// - Parameters:
  ///   - fault: One of ``faults``.
  ///   - stride: The distance of the statements that are struck: 1 means each.
  ///   - folder: The folder for the files of the scenes. The files are removed.
  /// - Throws: Errors of the file system, and an error if a step can't be played.
  public static func strike(
    _ step: KilledStep, with fault: SimulatedFault, stride: Int = 1, in folder: URL
  ) throws -> Cell {
    var statement = 0, count = 0
    var violations: [SimulationViolation] = []
    while true {
      let own = folder.appending(path: "scene-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: own) }
      let world = World(seed: 1, keepsTrace: false)
      let scene = KillScene(step, fault, at: statement, world: world, in: own)
      let isReached = try scene.play()
      violations += scene.story.ledger.violations.map {
        SimulationViolation(seed: $0.seed, step: statement, invariant: $0.invariant, what: $0.what)
      }
      guard isReached else { break }
      statement += stride
      count += 1
    }
    return Cell(step: step, fault: fault, statements: count, violations: violations)
  }
}
