import Foundation
import SkeinMatrix
import SkeinModel
import SkeinTesting

/// Accounts on a Synapse that was started by `Scripts/synapse`, with a relay for each device.
actor SynapseServer {
  /// The address of the Synapse; nil if no Synapse was started for the tests.
  static let address = ProcessInfo.processInfo.environment["SKEIN_SYNAPSE"].flatMap(URL.init)

  private struct Device {
    let user: UserID
    let session: MatrixSession
    let relay: Relay
  }

  private let accounts: MatrixAccounts
  private let port: Int
  private var devices: [Device] = []
  private static let password = "open sesame"

  init(_ address: URL) throws {
    guard let port = address.port else { throw URLError(.badURL) }
    accounts = MatrixAccounts(homeserver: address)
    self.port = port
  }
}

extension SynapseServer: TestServer {
  /// One answer contains the news of all rooms.
  nonisolated var batchSize: Int? { nil }

  func makeUser() async throws -> UserID {
    try await accounts.register("check-\(UUID().uuidString.lowercased())", password: Self.password)
  }

  func makeBackend(for user: UserID) async throws -> any ChatBackend {
    var session = try await accounts.signIn(user, password: Self.password)
    let relay = try Relay(toPort: port)
    devices.append(Device(user: user, session: session, relay: relay))
    guard let url = URL(string: "http://127.0.0.1:\(relay.port)") else { throw URLError(.badURL) }
    session.homeserver = url
    var options = MatrixOptions()
    options.fetchesReactionsOfPages = true
    return MatrixBackend(session, options: options)
  }

  func finish() async {
    for device in devices { device.relay.close() }
  }
}

extension SynapseServer: CuttableServer, LossyServer, SessionEndingServer, OutsidePostingServer {
  func cutConnections(of user: UserID) async throws {
    for device in devices where device.user == user { device.relay.cut() }
  }

  func loseNextAnswer(to user: UserID, by loss: AnswerLoss) async throws {
    for device in devices where device.user == user { device.relay.loseNextAnswer(by: loss) }
  }

  func endSessions(of user: UserID) async throws {
    for device in devices where device.user == user { try await accounts.signOut(device.session) }
  }

  func post(
    _ payload: Data, kind: MessageKind, from user: UserID, in conversation: ConversationRef
  ) async throws {
    guard let session = devices.first(where: { $0.user == user })?.session else { throw URLError(.unknown) }
    let text = try JSONDecoder().decode(TextContent.self, from: payload).text
    var url = session.homeserver.appending(path: "_matrix/client/v3/rooms/\(conversation.rawValue)/send")
    url.append(path: "m.room.message/\(UUID().uuidString)")
    var request = TestRequest(url)
    request.method = "PUT"
    request.headers = [("Authorization", "Bearer \(session.token.rawValue)")]
    try await request.send(["msgtype": "m.text", "body": text])
  }
}
