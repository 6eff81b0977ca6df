#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Reads a database file synchronously, while a ``Database`` has the file open. For simulations that check the
/// disk between two steps.
package final class Inspection: Sendable {
  private let connection: OwnedConnection

  /// Opens an existing database without encryption.
  package init(_ file: URL) throws {
    connection = try OwnedConnection(file)
    try connection.use { try $0.execute("PRAGMA query_only = ON") }
  }

  /// Runs `body` on one snapshot; throws `busy` at once if another connection holds the lock.
  package func read<T: Sendable>(_ body: @Sendable (ReadTransaction) throws -> T) throws -> T {
    try connection.use { connection in
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
