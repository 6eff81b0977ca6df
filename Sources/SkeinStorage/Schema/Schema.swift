/// What a database must look like: its tables, as the types say, and how an older one gets there.
public struct Schema: Sendable {
  let version: Int
  let tables: [any TableDescription]
  let migrations: [Migration]

  /// Describes a schema.
  ///
  /// - Parameters:
  ///   - version: From 1 to 2³¹-1; raise it by one with every change, and add a migration to it.
  ///   - tables: Those of the mapped types, and virtual ones.
  ///   - migrations: One to each version after the first that is still to be opened.
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

  /// Makes the step that leads from `version - 1` to `version`.
  ///
  /// Its SQL is written out, since the mapped types say what the newest schema is and not what this one was.
  public init(to version: Int, _ name: String, _ body: @escaping @Sendable (WriteTransaction) throws -> Void)
  {
    self.version = version
    self.name = name
    self.body = body
  }
}
