import Dispatch
import Foundation
import Skein
import SkeinSimulation
import Synchronization
import Testing

/// Runs a whole story in a seeded world, on a thread of its own, and hands back what was noted.
enum SimulatedRun {
  struct Ending: Sendable {
    let trace: [String]
    let steps: Int
    let failure: String?
  }

  /// Worlds take turns on a thread of their own: they need all of a core, and other tests have deadlines.
  private static let turns = DispatchQueue(label: "skein.worlds")

  /// - Parameter story: makes clients with the runtime it is handed and plays with them; it runs in the world.
  static func play(
    seed: UInt64, _ story: @escaping @Sendable (SimulatedStage) async throws -> Void
  ) async -> Ending {
    await withCheckedContinuation { continuation in
      turns.async { continuation.resume(returning: playHere(seed: seed, story)) }
    }
  }

  private static func playHere(
    seed: UInt64, _ story: @escaping @Sendable (SimulatedStage) async throws -> Void
  ) -> Ending {
    let folder = FileManager.default.temporaryDirectory.appending(path: "skein-world-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let stage = SimulatedStage(world: World(seed: seed), folder: folder)
    let ended = Mutex<String?>(nil)
    let root = stage.runtime(named: "stage")
    root.spawn {
      do {
        try await story(stage)
        ended.withLock { $0 = "" }
      } catch {
        ended.withLock { $0 = "\(error)" }
      }
    }
    let isFinished = stage.world.run { ended.withLock { $0 != nil } }
    let problem = isFinished ? ended.withLock { $0 } : "The world went idle or ran on without an end."
    return Ending(
      trace: stage.world.trace, steps: stage.world.steps, failure: problem == "" ? nil : problem)
  }
}

/// What a story plays with.
struct SimulatedStage: Sendable {
  let world: World
  let folder: URL
  let server = MemoryServer()

  /// The runtime of one simulated app; the same name finds the same files.
  func runtime(named name: String) -> Runtime {
    SimulatedProcess(world).runtime(
      in: folder.appending(path: name),
      now: { [world] in Timestamp(milliseconds: 1_700_000_000_000) + world.now })
  }

  func client(_ user: UserID, on device: String, options: ChatOptions = ChatOptions()) async throws
    -> ChatClient
  {
    let runtime = runtime(named: device)
    let backend = MemoryBackend(user: user, server: server, runtime: runtime)
    return try await ChatClient.open(account: user, backend: backend, runtime: runtime, options: options)
  }
}
