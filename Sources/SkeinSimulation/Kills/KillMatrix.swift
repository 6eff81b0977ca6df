#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
import Skein

/// Kills a client or fills its disk at each statement of a step of its work, and checks the promises.
public enum KillMatrix {
  /// The outcome of one fault at the statements of one step.
  public struct Cell: Sendable, Codable {
    /// The step, as ``KilledStep`` names it.
    public let step: String
    /// The fault, as ``KillFault`` names it.
    public let fault: String
    /// The number of statements at which the fault struck.
    public let statements: Int
    /// The broken promises; `step` of a violation is the number of statements before the fault.
    public let violations: [SimulationViolation]
  }

  /// Strikes at each statement of a step in turn, and blocks the calling thread meanwhile.
  ///
  /// - Parameters:
  ///   - stride: The distance of the statements that are struck: 1 means each.
  ///   - folder: The folder for the files of the scenes. The files are removed.
  /// - Throws: Errors of the file system, and an error if a step can't be played.
  public static func strike(
    _ step: KilledStep, with fault: KillFault, stride: Int = 1, in folder: URL
  ) throws -> Cell {
    var statement = 0, count = 0
    var violations: [SimulationViolation] = []
    while true {
      let own = folder.appending(path: "scene-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: own) }
      let world = World(seed: 1, keepsTrace: false)
      let scene = KillScene(step, fault, at: statement, world: world, in: own)
      scene.story.ledger.setStep(statement)
      let isReached = try scene.play()
      violations += scene.story.ledger.violations
      guard isReached else { break }
      statement += stride
      count += 1
    }
    return Cell(step: step.rawValue, fault: fault.rawValue, statements: count, violations: violations)
  }
}
