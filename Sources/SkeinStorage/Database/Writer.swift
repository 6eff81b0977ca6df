#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The only connection of a ``Database`` that writes.
///
/// A transaction runs from BEGIN to COMMIT without suspending, so transactions on this actor never overlap.
actor Writer {
  private let options: DatabaseOptions
  private var connection: OwnedConnection?

  init(_ file: URL, _ options: DatabaseOptions) throws {
    self.options = options
    connection = try options.shelf?.take(.writer, for: options) ?? OwnedConnection(file, options)
  }

  /// Configures a newly opened file, and migrates it to `schema`.
  func prepare(_ schema: Schema) async throws {
    // The version is checked before any write, so that a rejected file stays unchanged.
    try await options.whileBusy {
      try use { open in
        try open.transaction(.read) { try schema.checkedVersion(ReadTransaction(on: open)) }
      }
    }
    try await options.whileBusy {
      try use { open in try open.unlessBusy { try open.configureForWriting(options) } }
    }
    var version = 0
    while version != schema.version {
      version = try await options.whileBusy {
        try use { open in
          try open.transaction(.write(.kill)) { try schema.advance(WriteTransaction(on: open)) }
        }
      }
    }
    try await options.whileBusy {
      try use { open in try open.transaction(.read) { try schema.check(ReadTransaction(on: open)) } }
    }
  }

  /// Runs one transaction, and calls `committed` before another transaction can begin.
  func write<T: Sendable>(
    _ durability: Durability, _ body: @Sendable (WriteTransaction) throws -> T,
    committed: @Sendable (T) -> Void
  ) async throws -> T {
    try await options.whileBusy {
      let answer = try use { open in
        try open.transaction(.write(durability)) { try body(WriteTransaction(on: open)) }
      }
      if let answer { committed(answer) }
      return answer
    }
  }

  /// Runs `body` on one snapshot, and calls `then` before another transaction can begin.
  func read<T: Sendable>(
    _ body: @Sendable (ReadTransaction) throws -> T, then: @Sendable (T) -> Void
  ) async throws {
    try await options.whileBusy {
      let answer = try use { open in
        try open.transaction(.read) { try body(ReadTransaction(on: open)) }
      }
      if let answer { then(answer) }
      return answer
    }
  }

  func foreignCommits() async throws -> Int64 {
    try await options.whileBusy {
      try use { open in
        try open.unlessBusy { try ReadTransaction(on: open).scalar(Int64.self, "PRAGMA data_version") ?? 0 }
      }
    }
  }

  /// Closes the connection between two transactions; later transactions throw.
  func close() {
    if let connection { options.shelf?.put(connection, as: .writer) }
    connection = nil
  }

  private func use<T: Sendable>(_ body: (Connection) throws -> T) throws -> T {
    guard let connection else { throw StorageError(.closed, "The database is closed.") }
    return try connection.use(body)
  }
}
