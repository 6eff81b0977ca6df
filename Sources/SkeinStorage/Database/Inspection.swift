#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif
import Synchronization

/// Reads a database file synchronously, while a ``Database`` has the file open. For simulations that check the
/// disk between two steps.
package final class Inspection: Sendable {
  private let connection: Mutex<Connection>

  /// Opens an existing database without encryption.
  package init(_ file: URL) throws {
    let connection = try Connection(file)
    try connection.execute("PRAGMA query_only = ON")
    self.connection = Mutex(connection)
  }

  /// Runs `body` on one snapshot; throws `busy` at once if another connection holds the lock.
  package func read<T: Sendable>(_ body: @Sendable (ReadTransaction) throws -> T) throws -> T {
    try connection.withLock { connection in
      let answer = try connection.transaction(.read) { try body(ReadTransaction(on: connection)) }
      guard let answer else { throw StorageError(.busy, "Another connection holds the database.") }
      return answer
    }
  }

  /// Runs `body` on one snapshot of an existing file.
  package static func read<T: Sendable>(
    _ file: URL, _ body: @Sendable (ReadTransaction) throws -> T
  ) throws -> T {
    try Inspection(file).read(body)
  }
}
