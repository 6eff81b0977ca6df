import Dispatch
import Foundation
import Skein
import SkeinSimulation
import Synchronization

/// The simulated world of the running test.
///
/// Read it only in a test with the trait ``SimulatedTrait`` and in the tasks that the test starts.
var stage: SimulatedStage {
  guard let stage = SimulatedStage.current else {
    // Without a world there is nothing to test; a fallback would run the test on the real clock.
    preconditionFailure("The test needs the trait `.simulated`.")
  }
  return stage
}

/// A seeded world with one server, and a folder for the files of its devices.
struct SimulatedStage: Sendable {
  @TaskLocal fileprivate static var current: SimulatedStage?

  let world: World
  let folder = FileManager.default.temporaryDirectory.appending(path: "skein-world-\(UUID().uuidString)")
  let server = MemoryServer()
  private let clients = Clients()

  init(seed: UInt64) { world = World(seed: seed) }

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
    return try await open(user, backend, runtime, options)
  }

  func open(
    _ user: UserID, _ backend: any ChatBackend, _ runtime: Runtime, _ options: ChatOptions
  ) async throws -> ChatClient {
    let client = try await ChatClient.open(
      account: user, backend: backend, runtime: runtime, options: options)
    clients.opened.withLock { $0.append(Clients.Entry(client: client)) }
    return client
  }

  // MARK: Running

  /// Worlds run one at a time on a queue of their own: each needs a whole core, and several at once would
  /// slow other tests, which have deadlines.
  private static let turns = DispatchQueue(label: "skein.worlds")

  /// Creates the world's root task with the task locals of the caller. The task runs once ``finish(_:)`` runs
  /// the world.
  func start<Value: Sendable>(
    _ body: @escaping @concurrent @Sendable () async throws -> Value
  ) -> RootTask<Value> {
    let end = RootTask<Value>.End()
    let task = runtime(named: "stage").spawn {
      do {
        let value = try await Self.$current.withValue(self) { try await body() }
        end.result.withLock { $0 = .success(value) }
      } catch {
        end.result.withLock { $0 = .failure(error) }
      }
    }
    return RootTask(task: task, end: end)
  }

  /// Runs the world until its root task has ended.
  ///
  /// - Throws: the error of the task, or ``WorldStopped`` if the task can't end.
  func finish<Value>(_ root: RootTask<Value>) async throws -> Value {
    let result = await withCheckedContinuation { continuation in
      Self.turns.async {
        _ = world.run { root.end.result.withLock { $0 != nil } }
        continuation.resume(returning: root.end.result.withLock { $0 })
      }
    }
    guard let result else { throw WorldStopped() }
    return try result.get()
  }

  /// Ends a root task that waits for an event that never occurs; throws ``WorldStopped`` if that fails.
  func abandon(_ root: RootTask<Void>) async throws {
    root.task.cancel()
    let opened = clients.opened.withLock { $0 }
    runtime(named: "stage").spawn { for entry in opened { await entry.client?.close() } }
    try await finish(root)
  }

  /// Runs a body in a world of its own and returns its result, for tests that compare worlds.
  static func run<Value: Sendable>(
    seed: UInt64, _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let stage = SimulatedStage(seed: seed)
    defer { stage.removeFiles() }
    return try await stage.finish(stage.start(body))
  }

  func removeFiles() { try? FileManager.default.removeItem(at: folder) }
}

/// The task that starts everything else in a world.
struct RootTask<Value: Sendable>: Sendable {
  final class End: Sendable {
    let result = Mutex<Result<Value, any Error>?>(nil)
  }

  let task: Task<Void, any Error>
  let end: End
}

/// The clients of a world, which are closed when its root task is abandoned.
private final class Clients: Sendable {
  struct Entry: Sendable {
    weak let client: ChatClient?
  }

  let opened = Mutex<[Entry]>([])
}

/// The world went idle, or ran without an end, before its root task had ended.
struct WorldStopped: Error, CustomStringConvertible {
  var description: String { "The world is idle or runs on without an end, and the test has not ended." }
}
