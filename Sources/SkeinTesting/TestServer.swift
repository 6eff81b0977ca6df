public import SkeinModel

/// A server that checks may do with as they like, and the way to it.
///
/// Each check makes accounts of its own, so one server may serve any number of checks, also at once. What else can be done
/// to a server is a protocol of its own: ``StoppableServer``, ``CuttableServer``, ``LossyServer``, ``SessionEndingServer``,
/// ``TokenExpiringServer``,
/// ``OutsidePostingServer``, ``ContactEditingServer``. A check that needs what a server can't is skipped and says so.
public protocol TestServer: Sendable {
  /// Makes an account that nobody has used yet.
  func makeUser() async throws -> UserID

  /// Makes a backend for an account: one more device of its own, signed in.
  func makeBackend(for user: UserID) async throws -> any ChatBackend

  /// The most conversations, or messages, that one answer of a sync holds; 20 unless said otherwise, nil where one answer
  /// holds everything. A check makes more conversations than these to see the server say that there is more to fetch.
  var batchSize: Int? { get }

  /// Takes everything away; called when a check has ended, however it did. Does nothing unless said otherwise.
  func finish() async
}

extension TestServer {
  /// Twenty.
  public var batchSize: Int? { 20 }
  /// Does nothing.
  public func finish() async {}
}
