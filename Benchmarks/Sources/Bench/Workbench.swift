import CReference
import Foundation
import Skein

/// Opens clients in new folders, and removes the folders at the end.
struct Workbench: Sendable {
  private let root: URL

  init() throws {
    root = FileManager.default.temporaryDirectory.appending(path: "skein-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
  }

  /// A path that is not used yet.
  func path() -> URL { root.appending(path: UUID().uuidString) }

  func client(
    _ backend: InstantBackend, at folder: URL? = nil, counter: StatementCounter? = nil,
    kinds: KindRegistry = .standard
  ) async throws -> ChatClient {
    var options = ChatOptions()
    options.pollInterval = .seconds(900)
    var runtime = Runtime.system(directory: folder ?? path())
    if let counter { runtime.gate = { counter.count($0) } }
    return try await ChatClient.open(
      account: "alice", backend: backend, kinds: kinds, runtime: runtime, options: options)
  }

  /// Opens and starts a client, and returns once the client has caught up.
  func caughtUp(
    _ backend: InstantBackend, at folder: URL? = nil, counter: StatementCounter? = nil,
    kinds: KindRegistry = .standard
  ) async throws -> ChatClient {
    let client = try await client(backend, at: folder, counter: counter, kinds: kinds)
    client.start()
    for await state in client.catchUpStates where state == .caughtUp { break }
    await backend.connected()
    return client
  }

  /// Returns once the client's list shows `count` unread messages.
  func unread(_ count: Int, in client: ChatClient) async throws {
    let deadline = ContinuousClock.now + .seconds(10)
    while client.conversations.unreadCount != count {
      guard ContinuousClock.now < deadline else {
        throw BenchError("\(client.conversations.unreadCount) of \(count) messages are counted as unread.")
      }
      try await Task.sleep(for: .milliseconds(1))
    }
  }

  /// The rate at which C inserts the messages of a closed client's database into a new database, in messages
  /// per second.
  func plainInserts(of folder: URL, count: Int, batch: Int) throws -> Double {
    let nanoseconds = reference_copy(folder.appending(path: "chat.sqlite").path, path().path, Int32(batch))
    guard nanoseconds > 0 else { throw BenchError("The reference database can't be written.") }
    return Double(count) / (Double(nanoseconds) / 1e9)
  }

  func remove() { try? FileManager.default.removeItem(at: root) }
}

/// The time that work takes.
func time(_ work: () async throws -> Void) async rethrows -> Duration {
  let clock = ContinuousClock()
  let start = clock.now
  try await work()
  return clock.now - start
}
