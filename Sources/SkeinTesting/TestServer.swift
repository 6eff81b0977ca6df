public import SkeinModel

/// A server on which checks run.
///
/// Each check creates its own accounts, so one server may serve any number of checks, even concurrently. Only
/// a check that stops or restores the server must run alone on the server.
///
/// Further abilities are separate protocols: ``StoppableServer``, ``CuttableServer``, ``LossyServer``,
/// ``SessionEndingServer``, ``TokenExpiringServer``, ``OutsidePostingServer``, ``ContactEditingServer``,
/// ``InvitingServer``, ``RestorableServer`` and ``FileHostingServer``. A check that needs a missing ability is skipped, and its
/// outcome names the ability.
public protocol TestServer: Sendable {
  /// Creates a new account.
  func makeUser() async throws -> UserID

  /// Creates a backend for an account: one more device, signed in.
  func makeBackend(for user: UserID) async throws -> any ChatBackend

  /// The maximum number of conversations, or of messages, in one answer of a sync; 20 by default, nil if one
  /// answer contains everything. A check creates more conversations than this number to test
  /// ``SyncBatch/hasMore``.
  var batchSize: Int? { get }

  /// Called after each check, whatever the outcome, to stop a server that serves only this check. Does
  /// nothing by default.
  func finish() async
}

extension TestServer {
  /// The default, 20.
  public var batchSize: Int? { 20 }
  /// Does nothing.
  public func finish() async {}
}
