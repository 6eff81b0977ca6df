#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif
import Synchronization

/// A look into a database file from beside its owner, at once and without waiting: for simulations, which check between
/// two steps what stands on the disk.
package final class Inspection: Sendable {
  private let connection: Mutex<Connection>

  /// Opens a file that exists.
  package init(_ file: URL) throws {
    let connection = try Connection(file)
    try connection.execute("PRAGMA query_only = ON")
    self.connection = Mutex(connection)
  }

  /// Runs `body` on one snapshot.
  package func read<T: Sendable>(_ body: @Sendable (ReadTransaction) throws -> T) throws -> T {
    try connection.withLock { connection in
      let answer = try connection.transaction(.read) { try body(ReadTransaction(on: connection)) }
      guard let answer else { throw StorageError(.busy, "Another connection holds the database.") }
      return answer
    }
  }

  /// Runs `body` on one snapshot of a file that exists.
  package static func read<T: Sendable>(
    _ file: URL, _ body: @Sendable (ReadTransaction) throws -> T
  ) throws -> T {
    try Inspection(file).read(body)
  }
}
