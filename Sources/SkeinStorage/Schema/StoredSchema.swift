/// The actual tables and indexes of a database.
///
/// Use it in a test to compare a migrated database with a new one. The order and the default values of the columns
/// are not compared, since each generated insert states all columns.
public struct StoredSchema: Sendable, Equatable, CustomStringConvertible {
  /// One line for each table, column and index, and the SQL of virtual tables, views and triggers; sorted.
  private let lines: [String]

  /// Reads the schema of the database that `transaction` belongs to.
  public init(_ transaction: ReadTransaction) throws {
    let tables = try transaction.rows(
      (String.self, String.self, Bool.self, Bool.self),
      "SELECT name, type, wr, strict FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    )
    var lines: [String] = []
    for (name, type, isClustered, isStrict) in tables where type != "shadow" {
      lines.append("\(type) \(name), without rowid \(isClustered), strict \(isStrict)")
      lines += try Self.columns(of: name, transaction)
      lines += try Self.indexes(of: name, transaction)
    }
    // Virtual tables, views and triggers are compared by their SQL.
    let texts = try transaction.rows(
      String.self,
      "SELECT sql FROM sqlite_schema WHERE type NOT IN ('table', 'index') OR sql LIKE 'CREATE VIRTUAL%'")
    self.lines = (lines + texts.map(Self.spaced)).sorted()
  }

  /// The lines, for a failed test's message.
  public var description: String { lines.joined(separator: "\n") }

  private static func columns(of table: String, _ transaction: ReadTransaction) throws -> [String] {
    try transaction.rows(
      (String.self, String.self, Bool.self, Int.self, Int.self),
      "SELECT name, type, \"notnull\", pk, hidden FROM pragma_table_xinfo(?)", table
    ).map { "column \(table).\($0) \($1), not null \($2), primary key \($3), hidden \($4)" }
  }

  private static func indexes(of table: String, _ transaction: ReadTransaction) throws -> [String] {
    try transaction.rows(
      (String.self, Bool.self, String.self, Bool.self),
      "SELECT name, \"unique\", origin, partial FROM pragma_index_list(?)", table
    ).map { name, isUnique, origin, isPartial in
      let columns = try transaction.rows(
        (String?.self, Bool.self, String?.self),
        "SELECT name, \"desc\", coll FROM pragma_index_xinfo(?) WHERE key = 1 ORDER BY seqno", name
      ).map { "\($0 ?? "expression") \($1 ? "desc" : "asc") \($2 ?? "")" }
      let text =
        try transaction.scalar(String.self, "SELECT sql FROM sqlite_schema WHERE name = ?", name) ?? ""
      let condition = isPartial ? text.firstRange(of: " WHERE ").map { text[$0.upperBound...] } ?? "" : ""
      // SQLite generates numbered names for the indexes of a table's keys, so these names are not compared.
      let shown = origin == "c" ? name : "own"
      return
        "index \(table) \(shown), unique \(isUnique), \(origin), \(columns), where \(spaced(String(condition)))"
    }
  }

  private static func spaced(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
