#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import SkeinModel

/// A server that can become unreachable and come back with all stored data.
public protocol StoppableServer: TestServer {
  /// Becomes unreachable: connections end, and new connections fail.
  func stop() async throws
  /// Becomes reachable again, also for the backends that were created before.
  func start() async throws
}

/// A server, or a network, that can end connections while the server stays reachable.
public protocol CuttableServer: TestServer {
  /// Ends the push channels of an account, as a network failure does. New push channels may be opened at once.
  func cutConnections(of user: UserID) async throws
}

/// A network that can lose an answer.
public protocol LossyServer: TestServer {
  /// Lets the account's next request reach the server, but loses the answer.
  func loseNextAnswer(to user: UserID, by loss: AnswerLoss) async throws
}

/// The way in which an answer is lost.
public enum AnswerLoss: Sendable, Hashable {
  /// The connection ends before the answer.
  case cut
  /// The answer never arrives, and the connection stays open.
  case silence
}

/// A server that can end sessions.
public protocol SessionEndingServer: TestServer {
  /// Ends every session of an account, as a sign-out on each device does. The ended sessions can't be
  /// renewed, and their push channels end.
  func endSessions(of user: UserID) async throws
}

/// A server whose tokens can expire.
public protocol TokenExpiringServer: TestServer {
  /// Invalidates the tokens of an account's devices: the server refuses all calls of a device until the
  /// device has renewed its session.
  func expireTokens(of user: UserID) async throws
}

/// A server whose data can be restored from a backup, which undoes all later changes.
public protocol RestorableServer: TestServer {
  /// Saves all data of the server.
  func saveBackup() async throws
  /// Restores the saved data, and begins a new epoch. The server may be unreachable meanwhile. Afterwards the
  /// server is reachable, also for the backends that were created before.
  func restoreBackup() async throws
}

/// A server to which a test can post messages without a backend.
public protocol OutsidePostingServer: TestServer {
  /// Posts a message of an account as another client of the server would.
  func post(_ payload: Data, kind: MessageKind, from user: UserID, in conversation: ConversationRef)
    async throws
}

/// A test server that also hosts files outside of the media server.
public protocol FileHostingServer: TestServer {
  /// Hosts a file at a new address, which the media server can reach.
  func hostFile(_ bytes: Data, type: String) async throws -> URL
}

/// A server on which an account's contact list can be changed.
public protocol ContactEditingServer: TestServer {
  /// Adds a user to an account's contact list, as another client would. Does nothing if the user is already
  /// on the list.
  func addContact(_ contact: UserID, of user: UserID) async throws
  /// Removes a user from an account's contact list.
  func removeContact(_ contact: UserID, of user: UserID) async throws
}

/// A server on which users are invited to conversations.
public protocol InvitingServer: TestServer {
  /// Creates a backend for an account, one more device, that leaves invitations to the user. By default, this is
  /// ``TestServer/makeBackend(for:)``.
  func makeInvitedBackend(for user: UserID) async throws -> any ChatBackend
  /// Invites a user to a conversation, as another client of a member would.
  func invite(_ user: UserID, to conversation: ConversationRef, by member: UserID) async throws
  /// Withdraws an invitation that was not answered, as another client of a member would.
  func withdrawInvitation(of user: UserID, to conversation: ConversationRef, by member: UserID) async throws
}

extension InvitingServer {
  /// The default: any backend leaves invitations to the user.
  public func makeInvitedBackend(for user: UserID) async throws -> any ChatBackend {
    try await makeBackend(for: user)
  }
}
