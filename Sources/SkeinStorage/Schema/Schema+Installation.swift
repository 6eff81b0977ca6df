extension Schema {
  /// Creates the tables of a new database, or migrates an existing database by one version. Does nothing if
  /// the database has the schema's version. Returns the database's version afterwards.
  ///
  /// The version and the tables change in one transaction, so that a crash leaves either the old or the new schema.
  func advance(_ transaction: WriteTransaction) throws -> Int {
    let present = try checkedVersion(transaction)
    if present == version { return present }
    if present == 0 {
      try create(transaction)
      try transaction.execute("PRAGMA user_version = \(version)")
      return version
    }
    let step = migrations.filter { $0.version == present + 1 }
    guard let migration = step.first, step.count == 1 else {
      throw StorageError(.schemaMismatch, "There are \(step.count) migrations to version \(present + 1).")
    }
    do {
      try migration.body(transaction)
    } catch let error as StorageError {
      let message = "Migration to \(migration.version), \(migration.name): \(error.message)"
      throw StorageError(error.code, message, sqliteCode: error.sqliteCode)
    }
    try transaction.execute("PRAGMA user_version = \(migration.version)")
    return migration.version
  }

  /// Returns the version of the stored schema, 0 for a new file.
  ///
  /// - Throws: `newerSchema` if the stored version is above this schema's version; `schemaMismatch` if this
  ///   schema's version is out of its range.
  func checkedVersion(_ transaction: ReadTransaction) throws -> Int {
    guard (1...Int(Int32.max)).contains(version) else {
      throw StorageError(.schemaMismatch, "A schema's version must be from 1 to 2147483647, not \(version).")
    }
    let present = try transaction.scalar(Int.self, "PRAGMA user_version") ?? 0
    guard present <= version else {
      throw StorageError(.newerSchema, "The file has version \(present), the program version \(version).")
    }
    return present
  }

  private func create(_ transaction: WriteTransaction) throws {
    guard try transaction.scalar(Int.self, "SELECT count(*) FROM sqlite_schema") == 0 else {
      throw StorageError(.schemaMismatch, "The file has tables but no version; another program made it.")
    }
    for statement in tables.flatMap(\.creation) { try transaction.execute(statement) }
  }

  /// Throws `schemaMismatch` if the database lacks a column of this schema.
  func check(_ transaction: ReadTransaction) throws {
    for table in tables {
      let stored = try transaction.rows(String.self, "SELECT name FROM pragma_table_xinfo(?)", table.name)
      for column in table.columnNames where !stored.contains(column) {
        throw StorageError(.schemaMismatch, "The database has no column \(table.name).\(column).")
      }
    }
  }
}
