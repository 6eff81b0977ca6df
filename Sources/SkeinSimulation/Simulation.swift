#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
import Skein

/// What became of one seed.
public struct SimulatedOutcome: Sendable {
  /// The seed.
  public let seed: UInt64
  /// Steps of the story.
  public let steps: Int
  /// Jobs that ran.
  public let jobs: Int
  /// How much time passed in the world.
  public let time: Duration
  /// Messages that the server took.
  public let messages: Int
  /// How often each action was taken.
  public let actions: [SimulatedAction: Int]
  /// How often each fault struck, and what it hit.
  public let faults: [SimulatedFault: [SimulatedActivity: Int]]
  /// What was found wrong.
  public let violations: [SimulationViolation]
  /// A hash of all that happened; the same seed gives the same one, with the same binary.
  public let hash: UInt64
  /// What happened, where it was to be kept.
  public let trace: [String]
}

/// Whole clients, a server and a network in one seeded world, with real databases.
public enum Simulation {
  /// Tells the story of a seed on the calling thread, which it needs for itself; it leaves nothing behind in `folder`.
  ///
  /// - Throws: what the file system throws.
  public static func run(seed: UInt64, in folder: URL, keepsTrace: Bool = false) throws -> SimulatedOutcome {
    let own = folder.appending(path: "world-\(seed)-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: own) }
    let story = Story(seed: seed, in: own, keepsTrace: keepsTrace)
    try story.tell()
    return SimulatedOutcome(
      seed: seed, steps: story.step, jobs: story.world.steps, time: story.world.now,
      messages: story.server.rooms().reduce(0) { $0 + story.server.messages(in: $1).count },
      actions: story.actions, faults: story.log.all, violations: story.ledger.violations,
      hash: story.world.hash, trace: story.world.trace)
  }

  /// Where worlds keep their files: in memory, where the system has such a place.
  public static var folder: URL {
    let memory = URL(filePath: "/dev/shm", directoryHint: .isDirectory)
    return FileManager.default.isWritableFile(atPath: memory.path)
      ? memory : FileManager.default.temporaryDirectory
  }
}
