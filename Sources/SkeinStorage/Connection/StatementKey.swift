/// Identifies a prepared statement of a mapped table. A cached statement is found by this key instead of its
/// SQL, since an SQL text with all columns of a table takes long to build and to hash.
@usableFromInline struct StatementKey: Hashable {
  @usableFromInline enum Form: UInt8 {
    case select, find, insert, upsert, update, delete
  }

  private let row: ObjectIdentifier
  private let form: Form
  private let columns: ColumnSet
  private let clause: String

  /// - Parameters:
  ///   - columns: the columns that an update sets.
  ///   - clause: the SQL after the table's name, for a `select`.
  @usableFromInline init<R>(
    _ form: Form, of row: R.Type, columns: ColumnSet = .all, clause: String = ""
  ) {
    self.row = ObjectIdentifier(row)
    self.form = form
    self.columns = columns
    self.clause = clause
  }
}
