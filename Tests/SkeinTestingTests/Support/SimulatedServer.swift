import Foundation
import Skein
import SkeinSimulation
import SkeinTesting
import Synchronization

/// The simulator's server, which must fulfill the contract for the simulations to prove anything.
final class SimulatedServer: Sendable {
  private let server = MemoryServer()
  private let users = Mutex(0)
}

extension SimulatedServer: TestServer {
  /// One answer contains everything.
  var batchSize: Int? { nil }

  func makeUser() async throws -> UserID {
    users.withLock { count in
      count += 1
      return UserID(rawValue: "user\(count)")
    }
  }

  func makeBackend(for user: UserID) async throws -> any ChatBackend {
    // Calls of the backend take no time. Files can't be downloaded, so `media` is not stated.
    var runtime = Runtime.system(directory: FileManager.default.temporaryDirectory)
    runtime.random = { 0 }
    return MemoryBackend(
      user: user, server: server, runtime: runtime,
      abilities: ServerAbilities(
        idempotency: .forever, ordering: .dense, readMarks: true, history: .all, contacts: true,
        settings: .all, leaving: true, actions: .all, replies: true, mentions: true, receipts: .all,
        typing: true,
        presence: true, pipelining: true))
  }
}

extension SimulatedServer: StoppableServer, CuttableServer, ContactEditingServer, InvitingServer {
  func stop() async throws { server.setReachable(false) }
  func start() async throws { server.setReachable(true) }
  func cutConnections(of user: UserID) async throws { server.disconnect(user) }
  func addContact(_ contact: UserID, of user: UserID) async throws {
    server.put(Contact(id: .user(contact), type: .friend, name: contact.rawValue), of: user)
  }
  func removeContact(_ contact: UserID, of user: UserID) async throws {
    server.removeContact(.user(contact), of: user)
  }
  func invite(_ user: UserID, to conversation: ConversationRef, by member: UserID) async throws {
    server.invite(user, to: conversation, by: member)
  }
  func withdrawInvitation(of user: UserID, to conversation: ConversationRef, by member: UserID) async throws {
    server.endInvitation(of: user, to: conversation)
  }
}
