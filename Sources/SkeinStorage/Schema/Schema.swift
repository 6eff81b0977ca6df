/// The tables of a database at one version, and the migrations from earlier versions.
public struct Schema: Sendable {
  let version: Int
  let tables: [any TableDescription]
  let migrations: [Migration]

  /// Makes a schema.
  ///
  /// - Parameters:
  ///   - version: From 1 to 2³¹-1; raised by one with every change, which needs a migration.
  ///   - tables: The tables of the mapped types, and virtual ones.
  ///   - migrations: One migration to each version above the oldest version that can still be opened.
  public init(version: Int, tables: [any TableDescription], migrations: [Migration] = []) {
    self.version = version
    self.tables = tables
    self.migrations = migrations
  }
}

/// A step from one version of a schema to the next, run once, in a transaction of its own.
public struct Migration: Sendable {
  let version: Int
  let name: String
  let body: @Sendable (WriteTransaction) throws -> Void

  /// Makes the step from `version - 1` to `version`.
  ///
  /// Spell out its SQL, since the mapped types describe the newest schema, not the one of this version.
  public init(to version: Int, _ name: String, _ body: @escaping @Sendable (WriteTransaction) throws -> Void)
  {
    self.version = version
    self.name = name
    self.body = body
  }
}
