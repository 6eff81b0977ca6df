/// The tables of a database at one version, and the migrations from earlier versions.
public struct Schema: Sendable {
  let version: Int
  let tables: [any TableDescription]
  let migrations: [Migration]

  /// Creates a schema.
  ///
  /// - Parameters:
  ///   - version: From 1 to 2³¹ − 1. Every change of the tables raises the version by one, and needs a migration.
  ///   - tables: The tables of the mapped types, and virtual tables.
  ///   - migrations: One migration to each version above the oldest version that this program can open.
  public init(version: Int, tables: [any TableDescription], migrations: [Migration] = []) {
    self.version = version
    self.tables = tables
    self.migrations = migrations
  }
}

/// A step from one version of a schema to the next. It runs once, in a transaction of its own.
public struct Migration: Sendable {
  let version: Int
  let name: String
  let body: @Sendable (WriteTransaction) throws -> Void

  /// Creates the step from `version - 1` to `version`.
  ///
  /// Write the SQL by hand: the mapped types describe the newest schema, and not the schema of this version.
  public init(to version: Int, _ name: String, _ body: @escaping @Sendable (WriteTransaction) throws -> Void)
  {
    self.version = version
    self.name = name
    self.body = body
  }
}
