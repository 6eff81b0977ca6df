#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
internal import Synchronization

/// Keeps the connections of a closed ``Database`` open, with their prepared statements, for the next database on the same
/// file. For simulations: preparing the statements of a process again takes longer than running them.
///
/// The shelf accepts connections only while it is open. Meanwhile, nothing else may change the file.
package final class ConnectionShelf: Sendable {
  /// The use of a connection.
  enum Role: Sendable {
    case writer, reader
  }
  private struct State {
    var isOpen = false
    var kept: [(role: Role, connection: OwnedConnection)] = []
  }
  private let state = Mutex(State())

  /// Creates a closed shelf.
  package init() {}

  /// Accepts the connections of the next database that is closed.
  package func open() { state.withLock { $0.isOpen = true } }

  /// Closes the kept connections, and accepts no others.
  package func clear() { state.withLock { $0 = State() } }

  /// Copies the write-ahead log into the file and empties the log, like the close of the last connection.
  package func emptyLog() throws {
    let writer = state.withLock { state in state.kept.first { $0.role == .writer }?.connection }
    try writer?.use { connection in
      connection.renew(DatabaseOptions())
      try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
  }

  func put(_ connection: OwnedConnection, as role: Role) {
    state.withLock { state in
      if state.isOpen { state.kept.append((role, connection)) }
    }
  }

  /// Takes a kept connection, for a new owner. Nil if there is none.
  func take(_ role: Role, for options: DatabaseOptions) throws -> OwnedConnection? {
    let connection = state.withLock { state in
      state.isOpen = false
      return state.kept.firstIndex { $0.role == role }.map { state.kept.remove(at: $0).connection }
    }
    try connection?.use { $0.renew(options) }
    return connection
  }
}
