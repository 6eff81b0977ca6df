#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinModel

/// The further abilities of the test server. Each call is a step of the check.
extension Stage {
  func stopServer() async throws {
    step = "the test server's stop()"
    try await ability((any StoppableServer).self).stop()
  }

  func startServer() async throws {
    step = "the test server's start()"
    try await ability((any StoppableServer).self).start()
  }

  func cutConnections(of user: UserID) async throws {
    step = "the test server's cutConnections(of: \(user))"
    try await ability((any CuttableServer).self).cutConnections(of: user)
  }

  func loseNextAnswer(to user: UserID, by loss: AnswerLoss) async throws {
    step = "the test server's loseNextAnswer(to: \(user))"
    try await ability((any LossyServer).self).loseNextAnswer(to: user, by: loss)
  }

  func endSessions(of user: UserID) async throws {
    step = "the test server's endSessions(of: \(user))"
    try await ability((any SessionEndingServer).self).endSessions(of: user)
  }

  func expireTokens(of user: UserID) async throws {
    step = "the test server's expireTokens(of: \(user))"
    try await ability((any TokenExpiringServer).self).expireTokens(of: user)
  }

  func post(_ message: OutgoingMessage, from user: UserID) async throws {
    step = "the test server's post(from: \(user))"
    try await ability((any OutsidePostingServer).self).post(
      message.payload, kind: message.kind, from: user, in: message.conversation)
  }

  func hostFile(_ bytes: Data, type: String) async throws -> URL {
    step = "the test server's hostFile(type: \(type))"
    return try await ability((any FileHostingServer).self).hostFile(bytes, type: type)
  }

  func saveBackup() async throws {
    step = "the test server's saveBackup()"
    try await ability((any RestorableServer).self).saveBackup()
  }

  func restoreBackup() async throws {
    step = "the test server's restoreBackup()"
    try await ability((any RestorableServer).self).restoreBackup()
  }

  func addContact(_ contact: UserID, of user: UserID) async throws {
    step = "the test server's addContact(\(contact), of: \(user))"
    try await ability((any ContactEditingServer).self).addContact(contact, of: user)
  }

  func removeContact(_ contact: UserID, of user: UserID) async throws {
    step = "the test server's removeContact(\(contact), of: \(user))"
    try await ability((any ContactEditingServer).self).removeContact(contact, of: user)
  }

  /// Creates an account, and returns a device that leaves invitations to the user.
  func invitedDevice() async throws -> Device {
    step = "a new account"
    return try await invitedDevice(of: try await server.makeUser())
  }

  /// Returns one more device of an account that leaves invitations to the user.
  func invitedDevice(of user: UserID) async throws -> Device {
    step = "the test server's makeInvitedBackend(for: \(user))"
    let backend = try await ability((any InvitingServer).self).makeInvitedBackend(for: user)
    return Device(id: nextNumber(), user: user, backend: backend, stage: self)
  }

  func invite(_ user: UserID, to conversation: ConversationRef, by member: UserID) async throws {
    step = "the test server's invite(\(user), by: \(member))"
    try await ability((any InvitingServer).self).invite(user, to: conversation, by: member)
  }

  func withdrawInvitation(of user: UserID, to conversation: ConversationRef, by member: UserID) async throws {
    step = "the test server's withdrawInvitation(of: \(user), by: \(member))"
    try await ability((any InvitingServer).self).withdrawInvitation(of: user, to: conversation, by: member)
  }

  /// Returns the server as another protocol. The check is skipped if the server does not conform to this
  /// protocol.
  private func ability<Ability>(_ type: Ability.Type) throws -> Ability {
    if let server = server as? Ability { return server }
    throw CheckEnd.skipped("The test server is no \(type).")
  }
}
