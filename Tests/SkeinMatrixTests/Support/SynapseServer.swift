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
  private let address: URL
  private let port: Int
  private var devices: [Device] = []
  static let password = "open sesame"

  init(_ address: URL) throws {
    guard let port = address.port else { throw URLError(.badURL) }
    accounts = MatrixAccounts(homeserver: address)
    self.address = address
    self.port = port
  }
}

extension SynapseServer: TestServer {
  /// One answer contains the news of all rooms.
  nonisolated var batchSize: Int? { nil }

  /// Signs a user in on one more device, as another client would.
  func session(of user: UserID) async throws -> MatrixSession {
    try await accounts.signIn(user, password: Self.password)
  }

  func makeUser() async throws -> UserID {
    try await accounts.register("check-\(UUID().uuidString.lowercased())", password: Self.password)
  }

  func makeBackend(for user: UserID) async throws -> any ChatBackend {
    try await makeBackend(for: user, acceptsInvitations: true)
  }

  func makeBackend(for user: UserID, acceptsInvitations: Bool) async throws -> any ChatBackend {
    var session = try await accounts.signIn(user, password: Self.password)
    let relay = try Relay(toPort: port)
    devices.append(Device(user: user, session: session, relay: relay))
    guard let url = URL(string: "http://127.0.0.1:\(relay.port)") else { throw URLError(.badURL) }
    session.homeserver = url
    var options = MatrixOptions()
    (options.fetchesReactionsOfPages, options.acceptsInvitations) = (true, acceptsInvitations)
    return MatrixBackend(session, options: options)
  }

  func finish() async {
    for device in devices { device.relay.close() }
  }
}

extension SynapseServer: InvitingServer {
  func makeInvitedBackend(for user: UserID) async throws -> any ChatBackend {
    try await makeBackend(for: user, acceptsInvitations: false)
  }

  func invite(_ user: UserID, to conversation: ConversationRef, by member: UserID) async throws {
    try await change("invite", user, in: conversation, by: member)
  }

  func withdrawInvitation(of user: UserID, to conversation: ConversationRef, by member: UserID) async throws {
    try await change("kick", user, in: conversation, by: member)
  }

  private func change(
    _ change: String, _ user: UserID, in conversation: ConversationRef, by member: UserID
  ) async throws {
    guard let session = devices.first(where: { $0.user == member })?.session else { throw URLError(.unknown) }
    try await TestRequest("POST", session, "rooms", conversation.rawValue, change).send(
      #"{"user_id":"\#(user.rawValue)"}"#)
  }
}

extension SynapseServer: CuttableServer, LossyServer, SessionEndingServer, OutsidePostingServer {
  /// Cuts several times, since a push channel may be between two polls. The requests in between take some time.
  func cutConnections(of user: UserID) async throws {
    for _ in 0..<20 {
      for device in devices where device.user == user { device.relay.cut() }
      try await TestRequest(address.appending(path: "_matrix/client/versions")).send()
    }
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
    let body = try JSONEncoder().encode(["msgtype": "m.text", "body": text])
    try await TestRequest(
      "PUT", session, "rooms", conversation.rawValue, "send", "m.room.message", UUID().uuidString
    ).send(String(decoding: body, as: UTF8.self))
  }
}
