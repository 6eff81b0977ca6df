#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import SkeinModel

/// A server that can go out of reach and come back with all that it had stored.
public protocol StoppableServer: TestServer {
  /// Goes out of reach: what is connected ends, and nobody gets through.
  func stop() async throws
  /// Is in reach again, for the backends that it had made as well.
  func start() async throws
}

/// A server, or a network, that can end connections while the server stays in reach.
public protocol CuttableServer: TestServer {
  /// Ends the push channels of an account, as a network does that goes away; others may be opened at once.
  func cutConnections(of user: UserID) async throws
}

/// A network that can lose an answer.
public protocol LossyServer: TestServer {
  /// Lets the account's next request reach the server, and not the answer its device.
  func loseNextAnswer(to user: UserID, by loss: AnswerLoss) async throws
}

/// How an answer gets lost.
public enum AnswerLoss: Sendable, Hashable {
  /// The connection ends before it.
  case cut
  /// It never comes, and the connection stays.
  case silence
}

/// A server that can end sessions by itself.
public protocol SessionEndingServer: TestServer {
  /// Ends every session of an account, as a sign-out from elsewhere or an expired token does.
  func endSessions(of user: UserID) async throws
}

/// A server whose tokens can grow old by themselves.
public protocol TokenExpiringServer: TestServer {
  /// Has the server take no call of an account's devices any more until each has renewed its session.
  func expireTokens(of user: UserID) async throws
}

/// A server that takes messages by other means than the backend.
public protocol OutsidePostingServer: TestServer {
  /// Has an account post a message as some other client of the server would.
  func post(_ payload: Data, kind: MessageKind, from user: UserID, in conversation: ConversationRef)
    async throws
}

/// A server on which an account's contact list can be changed.
public protocol ContactEditingServer: TestServer {
  /// Puts somebody on an account's contact list, as another client would; does nothing where they are on it.
  func addContact(_ contact: UserID, of user: UserID) async throws
  /// Takes somebody off an account's contact list.
  func removeContact(_ contact: UserID, of user: UserID) async throws
}
