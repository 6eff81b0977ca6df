/// A row of a table as a struct.
///
/// ```swift
/// struct MessageRow: Mapped {
///   let id: MessageID, conversation: ConversationID, rank: Int64, note: String?
///   static let table = Table("message", key: ["id"], clusteredBy: ["conversation", "rank", "id"],
///     Self.init, Column("id", \.id), Column("conversation", \.conversation), Column("rank", \.rank),
///     Column("note", \.note))
/// }
/// ```
public protocol Mapped: Sendable {
  /// Its table and columns; make it a `static let`, since it is asked for with every statement.
  static var table: Table<Self> { get }
}

/// What a ``Schema`` needs to know of a table.
public protocol TableDescription: Sendable {
  /// The table's name.
  var name: String { get }
  /// The columns that must exist once the database is open.
  var columnNames: [String] { get }
  /// The statements that make it, indexes included.
  var creation: [String] { get }
}

/// A virtual table, such as a full-text index, which no type is mapped to.
public struct VirtualTable: TableDescription {
  /// The table's name.
  public let name: String
  /// The columns, in order.
  public let columnNames: [String]
  /// The statements that make it, indexes included.
  public let creation: [String]

  /// Makes the table `name`; `module` is what follows `USING`, as in `fts5(body, content='')`.
  public init(_ name: String, columns: [String], using module: String) {
    self.name = name
    columnNames = columns
    creation = ["CREATE VIRTUAL TABLE \(quoted(name)) USING \(module)"]
  }
}
