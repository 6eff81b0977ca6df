#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinModel
import Synchronization

/// The environment of one check: the server, the push channels that the check has opened, and the current step.
final class Stage: Sendable {
  private struct State {
    var step = "the first account"
    var listeners: [PushListener] = []
    var count = 0
    var folder: URL?
  }
  private let state = Mutex(State())
  let server: any TestServer
  /// How long an event may take and still count as in time.
  let patience: Duration
  /// Distinguishes this check's ids and texts from those of other checks on the same server.
  private let mark = UUID().uuidString.prefix(8).lowercased()

  init(_ server: any TestServer, patience: Duration) {
    self.server = server
    self.patience = patience
  }

  /// The current step, which is reported when the check exceeds its time limit.
  var step: String {
    get { state.withLock { $0.step } }
    set { state.withLock { $0.step = newValue } }
  }

  /// Returns a unique word that begins with `prefix`.
  func word(_ prefix: String) -> String {
    "\(prefix)-\(mark)-\(nextNumber())"
  }

  func nextNumber() -> Int {
    state.withLock { state in
      state.count += 1
      return state.count
    }
  }

  /// Creates an account, and returns a device of the account.
  func device() async throws -> Device {
    step = "a new account"
    return try await device(of: try await server.makeUser())
  }

  /// Returns one more device of an account.
  func device(of user: UserID) async throws -> Device {
    step = "a backend for \(user)"
    return Device(id: nextNumber(), user: user, backend: try await server.makeBackend(for: user), stage: self)
  }

  /// Creates two accounts, and opens the chat between them.
  func pair() async throws -> (alice: Device, bob: Device, chat: ConversationRef) {
    let (alice, bob) = (try await device(), try await device())
    return (alice, bob, try await alice.open(.direct(bob.user)).ref)
  }

  /// Opens a device's push channel, and returns once the channel is connected.
  ///
  /// - Parameter taking: processes an event before the next event is received.
  func listen(
    _ device: Device, since cursor: SyncCursor? = nil, taking: @escaping BackendReceiver = { _ in }
  ) async throws -> PushListener {
    step = "\(device.user)'s push channel to connect"
    let listener = PushListener(device, since: cursor, taking: taking)
    state.withLock { $0.listeners.append(listener) }
    try await listener.connected()
    return listener
  }

  /// Returns the ``BackendError`` that a call throws. The check fails if the call throws another error or none.
  func error(of call: String, _ body: () async throws -> Void) async throws -> BackendError {
    do {
      try await body()
    } catch let error as BackendError {
      return error
    } catch let end as CheckEnd {
      throw end
    } catch is CancellationError where Task.isCancelled {
      throw CancellationError()
    } catch {
      throw CheckEnd.failed("\(call) threw \(error), which is no BackendError.")
    }
    throw CheckEnd.failed("\(call) succeeded.")
  }

  /// Cancels a task, which must then end promptly.
  func cancel(_ task: Task<Void, Never>, _ call: String) async throws {
    task.cancel()
    try await promptly("\(call), cancelled,") { await task.value }
  }

  /// Runs a call that must end within ``patience``, with any result.
  func promptly<Value: Sendable>(
    _ call: String, _ body: @escaping @concurrent @Sendable () async throws -> Value
  ) async throws -> Value {
    step = "\(call) to end"
    do {
      return try await Deadline.run(within: patience, body)
    } catch is Deadline.Passed {
      throw CheckEnd.failed("\(call) had not ended after \(patience).")
    }
  }

  /// Returns the folder of this check, which is deleted when the check has ended.
  func folder() throws -> URL {
    if let folder = state.withLock({ $0.folder }) { return folder }
    let folder = FileManager.default.temporaryDirectory.appending(path: "skein-testing-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    state.withLock { $0.folder = folder }
    return folder
  }

  /// Cancels the push channels, waits until they have ended, and deletes the folder. A push channel that has not
  /// ended within ``patience`` keeps running.
  func close() async {
    let (listeners, folder) = state.withLock { ($0.listeners, $0.folder) }
    for listener in listeners { listener.cancel() }
    _ = await Deadline.finishes(within: patience) {
      for listener in listeners { await listener.ended() }
    }
    if let folder { try? FileManager.default.removeItem(at: folder) }
  }
}
