#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// One of the connections that read; a write transaction does not hold it up.
actor Reader {
  private let options: DatabaseOptions
  private var connection: Connection?

  init(_ file: URL, _ options: DatabaseOptions) throws {
    self.options = options
    let connection = try Connection(file, key: options.key, gate: options.gate)
    // A query that would change something is refused here, and not only by the types.
    try connection.execute("PRAGMA query_only = ON")
    self.connection = connection
  }

  /// Runs `body` on one snapshot.
  func read<T: Sendable>(_ body: @Sendable (ReadTransaction) throws -> T) async throws -> T {
    try await options.whileBusy {
      guard let connection else { throw StorageError(.closed, "The database is closed.") }
      return try connection.transaction(.read) { try body(ReadTransaction(on: connection)) }
    }
  }

  /// Runs between two reads, and lets no other begin.
  func close() { connection = nil }
}
