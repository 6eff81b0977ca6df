#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A connection that only reads; write transactions do not block it.
actor Reader {
  private let options: DatabaseOptions
  private var connection: OwnedConnection?

  init(_ file: URL, _ options: DatabaseOptions) throws {
    self.options = options
    let connection = try options.shelf?.take(.reader, for: options) ?? OwnedConnection(file, options)
    // With this pragma, SQLite rejects writes in hand-written SQL. The Swift types can't reject these writes.
    try connection.use { try $0.configure("PRAGMA query_only = ON") }
    self.connection = connection
  }

  /// Runs `body` on one snapshot.
  func read<T: Sendable>(_ body: @Sendable (ReadTransaction) throws -> T) async throws -> T {
    try await options.whileBusy {
      guard let connection else { throw StorageError(.closed, "The database is closed.") }
      return try connection.use { connection in
        try connection.transaction(.read) { try body(ReadTransaction(on: connection)) }
      }
    }
  }

  /// Closes the connection between two reads; later reads throw.
  func close() {
    if let connection { options.shelf?.put(connection, as: .reader) }
    connection = nil
  }
}
