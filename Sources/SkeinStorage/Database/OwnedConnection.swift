#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
internal import Synchronization

/// A connection with one owner at a time. The lock only allows that the connection is passed to another owner.
final class OwnedConnection: Sendable {
  private let connection: Mutex<Connection>

  /// Opens `file`; see ``Connection``.
  init(_ file: URL, _ options: DatabaseOptions = DatabaseOptions()) throws {
    connection = Mutex(try Connection(file, options))
  }

  /// Runs `body` on the connection.
  func use<T: Sendable>(_ body: (Connection) throws -> T) throws -> T {
    try connection.withLock { try body($0) }
  }
}
