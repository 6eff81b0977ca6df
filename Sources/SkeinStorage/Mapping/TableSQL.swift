/// The SQL generated from a table's columns and key, once for each table.
@usableFromInline struct TableSQL: Sendable {
  @usableFromInline let insert: String
  @usableFromInline let upsert: String
  @usableFromInline let update: String
  @usableFromInline let delete: String
  @usableFromInline let find: String
  /// Ends with a space, so that a clause can follow.
  @usableFromInline let select: String

  init(_ name: String, _ columns: [String], key: [String]) {
    let table = quoted(name)
    let others = columns.filter { !key.contains($0) }
    let list = columns.map(quoted).joined(separator: ", ")
    // The parameters are numbered like the columns, so that a row is bound in the same way to an insert, an upsert
    // and an update.
    let parameters = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    let keyPlaces = columns.indices.filter { key.contains(columns[$0]) }
    let otherPlaces = columns.indices.filter { !key.contains(columns[$0]) }
    let byKey = "WHERE " + key.map { "\(table).\(quoted($0)) = ?" }.joined(separator: " AND ")
    insert = "INSERT INTO \(table) (\(list)) VALUES (\(parameters))"
    let replacement = others.map { "\(quoted($0)) = excluded.\(quoted($0))" }.joined(separator: ", ")
    upsert =
      "\(insert) ON CONFLICT (\(key.map(quoted).joined(separator: ", "))) DO "
      + (others.isEmpty ? "NOTHING" : "UPDATE SET \(replacement)")
    update = Self.update(name, columns, where: keyPlaces, setting: others.isEmpty ? keyPlaces : otherPlaces)
    delete = "DELETE FROM \(table) \(byKey)"
    select = "SELECT \(columns.map { "\(table).\(quoted($0))" }.joined(separator: ", ")) FROM \(table) "
    find = select + byKey
  }

  /// The statement that sets some columns of the row with a key. The parameters are numbered like the columns.
  static func update(_ name: String, _ columns: [String], where key: [Int], setting changed: [Int]) -> String
  {
    func terms(_ places: [Int]) -> [String] { places.map { "\(quoted(columns[$0])) = ?\($0 + 1)" } }
    return "UPDATE \(quoted(name)) SET \(terms(changed).joined(separator: ", ")) "
      + "WHERE \(terms(key).joined(separator: " AND "))"
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
