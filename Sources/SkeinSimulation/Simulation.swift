#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
import Skein

/// The outcome of one seed.
public struct SimulatedOutcome: Sendable {
  /// The seed.
  public let seed: UInt64
  /// Steps of the story.
  public let steps: Int
  /// Jobs that ran.
  public let jobs: Int
  /// How much time passed in the world.
  public let time: Duration
  /// Messages that the server has at the end, including messages that the server no longer returns.
  public let messages: Int
  /// How often each action was performed.
  public let actions: [SimulatedAction: Int]
  /// How often each fault struck, by the activity during which it struck.
  public let faults: [SimulatedFault: [SimulatedActivity: Int]]
  /// The broken promises, with at most three violations of each.
  public let violations: [SimulationViolation]
  /// The SQL of all statements that the clients' databases were asked to run, if requested; empty otherwise.
  public let statements: Set<String>
  /// A hash of all events; with the same binary, the same seed gives the same hash.
  public let hash: UInt64
  /// All events, if the trace was requested; empty otherwise.
  public let trace: [String]
}

/// Whole clients, a server and a network in one seeded world, with real databases.
public enum Simulation {
  /// Plays the story of a seed, and blocks the calling thread meanwhile. The files of the story in `folder`
  /// are removed afterwards.
  ///
  /// - Parameters:
  ///   - order: How the server tells the order of messages; nil leaves this to the seed.
  ///   - keepsConnections: Whether most processes take over the open connections of the process before, which changes no
  ///     event.
  /// - Throws: Errors of the file system.
  public static func run(
    seed: UInt64, in folder: URL, order: SimulatedOrder? = nil, keepsTrace: Bool = false,
    keepsStatements: Bool = false, keepsConnections: Bool = true
  ) throws -> SimulatedOutcome {
    let own = folder.appending(path: "world-\(seed)-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: own) }
    let world = World(seed: seed, keepsTrace: keepsTrace, keepsStatements: keepsStatements)
    let story = Story(seed: seed, order, world, in: own, keepsConnections: keepsConnections)
    try story.tell()
    return SimulatedOutcome(
      seed: seed, steps: story.step, jobs: world.steps, time: world.now,
      messages: story.server.rooms().reduce(0) { $0 + story.server.messages(in: $1).count },
      actions: story.actions, faults: story.log.all, violations: story.ledger.violations,
      statements: world.statements, hash: world.hash, trace: world.trace)
  }

  /// The folder for the files of worlds: `/dev/shm`, which is in memory, if it is writable and has more than
  /// a gigabyte of free space; otherwise the temporary folder.
  public static var folder: URL {
    let memory = URL(filePath: "/dev/shm", directoryHint: .isDirectory)
    let system = try? FileManager.default.attributesOfFileSystem(forPath: memory.path)
    let room = system?[.systemFreeSize] as? UInt64 ?? 0
    return room > 1_000_000_000 && FileManager.default.isWritableFile(atPath: memory.path)
      ? memory : FileManager.default.temporaryDirectory
  }
}
