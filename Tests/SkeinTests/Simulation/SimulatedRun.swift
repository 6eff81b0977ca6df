import Skein
import SkeinSimulation

/// Runs a whole story in a seeded world and returns its outcome; new tests use ``SimulatedTrait``.
enum SimulatedRun {
  struct Ending: Sendable {
    let trace: [String]
    let steps: Int
    let failure: String?
  }

  static func play(
    seed: UInt64, _ story: @escaping @Sendable (SimulatedStage) async throws -> Void
  ) async -> Ending {
    let stage = SimulatedStage(seed: seed)
    defer { stage.removeFiles() }
    var failure: String?
    do { try await stage.finish(stage.start { try await story(stage) }) } catch { failure = "\(error)" }
    return Ending(trace: stage.world.trace, steps: stage.world.steps, failure: failure)
  }
}
