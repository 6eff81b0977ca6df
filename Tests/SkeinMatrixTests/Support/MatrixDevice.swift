import Foundation
import Skein
import SkeinMatrix
import SkeinTesting

/// A device of an account: an engine with a database on the disk, and a relay as its network.
struct MatrixDevice: Sendable {
  /// The number of messages of a room that one sync returns.
  static let catchUpPageSize = 20

  let name: String
  /// A session of the same account without the relay, for requests of the test.
  let session: MatrixSession
  let client: ChatClient
  let relay: Relay
  private let folder: URL

  var user: UserID { session.user }

  /// Signs an account in on a new device, and starts its engine.
  ///
  /// - Parameters:
  ///   - fetchesReactions: whether pages of history have reactions, at the cost of a call for each message.
  ///   - folder: the folder of an engine that was closed; nil for a new one.
  init(
    _ name: String, of user: UserID, on address: URL, pageSize: Int = 20,
    fetchesReactions: Bool = true, in folder: URL? = nil
  ) async throws {
    self.name = name
    guard let port = address.port else { throw URLError(.badURL) }
    relay = try Relay(toPort: port)
    var session = try await SynapseServer(address).session(of: user)
    self.session = session
    guard let url = URL(string: "http://127.0.0.1:\(relay.port)") else { throw URLError(.badURL) }
    session.homeserver = url
    let new = FileManager.default.temporaryDirectory.appending(path: "skein-matrix-\(UUID().uuidString)")
    self.folder = folder ?? new
    let folder = self.folder
    client = try await Self.client(of: session, in: folder, pageSize, fetchesReactions)
    client.start()
  }

  /// Opens an engine on a folder. Short limits, so that the engine soon notices a Synapse that is halted.
  private static func client(
    of session: MatrixSession, in folder: URL, _ pageSize: Int, _ fetchesReactions: Bool
  ) async throws -> ChatClient {
    var limits = MatrixOptions()
    (limits.deadline, limits.idleTimeout, limits.pollTimeout) = (.seconds(8), .seconds(8), .seconds(10))
    (limits.fetchesReactionsOfPages, limits.acceptsInvitations) = (fetchesReactions, true)
    var options = ChatOptions()
    (options.pageSize, options.catchUpPageSize, options.windowSize) = (pageSize, Self.catchUpPageSize, 2000)
    options.pollInterval = .seconds(5)
    return try await ChatClient.open(
      account: session.user, backend: MatrixBackend(session, options: limits),
      runtime: .system(directory: folder), options: options)
  }

  /// Closes the engine, signs the account in again, and opens the engine's folder with the new session.
  func signIn(on address: URL) async throws -> MatrixDevice {
    await client.close()
    relay.close()
    return try await MatrixDevice(name, of: user, on: address, in: folder)
  }

  /// Ends the engine, and removes its files.
  func close() async {
    await client.close()
    relay.close()
    try? FileManager.default.removeItem(at: folder)
  }

  /// The context of a room, once the device has the room.
  func context(of room: ConversationRef) async throws -> ChatContext {
    let context = client.context(for: try await client.conversation { $0.ref == room }.id)
    try await context.open()
    return context
  }
}
