/// The SQL generated from a table's columns and key, once for each table.
@usableFromInline struct TableSQL: Sendable {
  @usableFromInline let insert: String
  @usableFromInline let upsert: String
  @usableFromInline let update: String
  @usableFromInline let delete: String
  @usableFromInline let find: String
  /// The columns of the table alone, and of the table with other tables. Both end with a space, so that a clause can
  /// follow.
  private let select: String
  private let selectQualified: String
  private let table: String
  /// For each column, the term that sets it or compares it with its parameter.
  private let terms: [String]
  private let keyTerms: String

  init(_ name: String, _ columns: [String], key: [String]) {
    table = quoted(name)
    let others = columns.filter { !key.contains($0) }
    let list = columns.map(quoted).joined(separator: ", ")
    // The parameters are numbered like the columns, so that a row is bound in the same way to an insert, an upsert
    // and an update.
    let parameters = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    let keyPlaces = columns.indices.filter { key.contains(columns[$0]) }
    let otherPlaces = columns.indices.filter { !key.contains(columns[$0]) }
    let byKey = "WHERE " + key.map { [table] in "\(table).\(quoted($0)) = ?" }.joined(separator: " AND ")
    insert = "INSERT INTO \(table) (\(list)) VALUES (\(parameters))"
    let replacement = others.map { "\(quoted($0)) = excluded.\(quoted($0))" }.joined(separator: ", ")
    upsert =
      "\(insert) ON CONFLICT (\(key.map(quoted).joined(separator: ", "))) DO "
      + (others.isEmpty ? "NOTHING" : "UPDATE SET \(replacement)")
    let terms = columns.indices.map { "\(quoted(columns[$0])) = ?\($0 + 1)" }
    self.terms = terms
    keyTerms = keyPlaces.map { terms[$0] }.joined(separator: " AND ")
    update = Self.update(table, (others.isEmpty ? keyPlaces : otherPlaces).map { terms[$0] }, where: keyTerms)
    delete = "DELETE FROM \(table) \(byKey)"
    select = "SELECT \(list) FROM \(table) "
    selectQualified =
      "SELECT \(columns.map { [table] in "\(table).\(quoted($0))" }.joined(separator: ", ")) FROM \(table) "
    find = select + byKey
  }

  /// The statement that selects rows. The columns are qualified only if the clause may join other tables, since SQLite
  /// prepares a wide statement with plain names in less time.
  @usableFromInline func select(_ clause: String) -> String {
    let isAlone = clause.isEmpty || ["WHERE ", "ORDER BY ", "LIMIT "].contains(where: clause.hasPrefix)
    return (isAlone ? select : selectQualified) + clause
  }

  /// The statement that sets some columns of the row with a key. The parameters are numbered like the columns.
  func update(_ columns: [Int]) -> String { Self.update(table, columns.map { terms[$0] }, where: keyTerms) }

  private static func update(_ table: String, _ changes: [String], where key: String) -> String {
    "UPDATE \(table) SET \(changes.joined(separator: ", ")) WHERE \(key)"
  }

  /// The statements that create the table and its indexes.
  static func creation(
    _ name: String, _ columns: [ColumnDeclaration], key: [String], clusteredBy: [String]?, indexes: [Index]
  ) -> [String] {
    let declarations = columns.map {
      "\(quoted($0.name)) \($0.type.rawValue)\($0.isNullable ? "" : " NOT NULL")"
    }
    let primary = clusteredBy ?? key
    let body = declarations + ["PRIMARY KEY (\(primary.map(quoted).joined(separator: ", ")))"]
    // STRICT also rejects values of a wrong type in hand-written SQL.
    let table =
      "CREATE TABLE \(quoted(name)) (\(body.joined(separator: ", "))) STRICT"
      + (clusteredBy == nil ? "" : ", WITHOUT ROWID")
    let keyIndex = primary == key ? [] : [Index(key, unique: true)]
    return [table] + (keyIndex + indexes).map { $0.creation(on: name) }
  }
}

extension Index {
  fileprivate func creation(on table: String) -> String {
    let name = ([table] + columns).joined(separator: "_") + (condition == nil ? "" : "_partial")
    return "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(quoted(name)) ON \(quoted(table)) "
      + "(\(columns.map(quoted).joined(separator: ", ")))" + (condition.map { " WHERE \($0)" } ?? "")
  }
}

/// Quotes a name in backticks: SQLite treats a misspelt name in double quotes as a text.
func quoted(_ name: String) -> String { "`\(name.replacing("`", with: "``"))`" }
