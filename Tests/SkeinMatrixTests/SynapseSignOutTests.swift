import Foundation
import Skein
import SkeinMatrix
import SkeinModel
import SkeinTesting
import Testing

/// A device that another device of the account signs out.
@Suite("A sign-out from elsewhere on Synapse", .timeLimit(.minutes(2)))
struct SynapseSignOutTests {
  /// The ways in which another session of the account ends the sessions of a device.
  enum Way: CaseIterable, Sendable { case everywhere, oneDevice }

  @Test(
    "The client reports the end of its session, keeps what waits, and sends it once after a new sign-in",
    arguments: SynapseClientTests.addresses, Way.allCases)
  func signOut(_ address: URL, _ way: Way) async throws {
    let server = try SynapseServer(address)
    let (alice, bob) = (try await server.makeUser(), try await server.makeUser())
    let elsewhere = try await server.session(of: alice)
    let device = try await MatrixDevice("alice", of: alice, on: address)
    let chat = try await device.client.open(.direct(bob))
    _ = try await device.client.send(TextContent("first"), to: chat).result
    let room = try #require(try await device.client.conversation { $0.id == chat }.ref)

    // The server stores this message, and the device does not learn it.
    device.relay.loseNextAnswer(by: .silence)
    let unanswered = try await device.client.send(TextContent("unanswered"), to: chat)
    while try await ServerHistory(of: room, by: elsewhere).entries.count < 2 {}
    try await end(device, way, by: elsewhere)
    try await device.client.connection { if case .signedOut = $0 { true } else { false } }
    let waiting = try await device.client.send(TextContent("waiting"), to: chat)
    try await waiting.state { $0 == .signedOut }
    #expect(try await device.client.waitingMessageCount() >= 1)
    _ = unanswered

    let returned = try await device.signIn(on: address)
    let context = returned.client.context(for: chat)
    let messages = try await context.messages { messages in
      messages.count == 3 && messages.allSatisfy { $0.status == .sent }
    }
    #expect(messages.map(\.content.displayedText) == ["first", "unanswered", "waiting"])
    let history = try await ServerHistory(of: room, by: returned.session)
    #expect(history.entries.map(\.text) == ["first", "unanswered", "waiting"])
    await returned.close()
  }

  private func end(_ device: MatrixDevice, _ way: Way, by session: MatrixSession) async throws {
    switch way {
    case .everywhere: try await TestRequest("POST", session, "logout", "all").send("{}")
    case .oneDevice:
      let user = try #require(session.user.rawValue.dropFirst().split(separator: ":").first)
      try await TestRequest("DELETE", session, "devices", device.session.device).send(
        #"""
        {"auth":{"type":"m.login.password","password":"\#(SynapseServer.password)",
         "identifier":{"type":"m.id.user","user":"\#(user)"}}}
        """#)
    }
  }
}
