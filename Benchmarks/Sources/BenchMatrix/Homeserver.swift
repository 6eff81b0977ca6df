import Foundation
import Skein
import SkeinMatrix

/// New accounts of a homeserver, and the folders of their clients.
struct Homeserver: Sendable {
  let address: URL
  let folder: URL

  /// Registers a user with an unused name, and signs the user in.
  func session() async throws -> MatrixSession {
    let accounts = MatrixAccounts(homeserver: address)
    let user = try await accounts.register("bench-\(UUID().uuidString.lowercased())", password: "open sesame")
    return try await accounts.signIn(user, password: "open sesame")
  }

  func sessions(_ count: Int) async throws -> [MatrixSession] {
    var sessions: [MatrixSession] = []
    for _ in 0..<count { sessions.append(try await session()) }
    return sessions
  }

  /// Opens the client of an account, and returns once it is connected and has caught up.
  func client(_ session: MatrixSession, options: ChatOptions = ChatOptions()) async throws -> ChatClient {
    var matrix = MatrixOptions()
    matrix.acceptsInvitations = true
    let client = try await ChatClient.open(
      account: session.user, backend: MatrixBackend(session, options: matrix),
      runtime: .system(directory: folder.appending(path: session.device)), options: options)
    client.start()
    for await state in client.catchUpStates where state == .caughtUp { break }
    for await state in client.connectionStates where state == .online { break }
    return client
  }
}

/// The time that work takes, in seconds.
func seconds(_ work: () async throws -> Void) async rethrows -> Double {
  let start = ContinuousClock.now
  try await work()
  return (ContinuousClock.now - start).seconds
}

/// Does the same with each element at the same time.
func together<Element: Sendable>(
  _ elements: [Element], _ work: @escaping @Sendable (Int, Element) async throws -> Void
) async throws {
  try await withThrowingTaskGroup { group in
    for (index, element) in elements.enumerated() { group.addTask { try await work(index, element) } }
    try await group.waitForAll()
  }
}

/// Returns once work has ended, or after a time, which cancels the work.
func atMost(_ time: Duration, _ work: @escaping @Sendable () async throws -> Void) async throws {
  try await withThrowingTaskGroup { group in
    group.addTask { try await work() }
    group.addTask { try await Task.sleep(for: time) }
    try await group.next()
    group.cancelAll()
  }
}
