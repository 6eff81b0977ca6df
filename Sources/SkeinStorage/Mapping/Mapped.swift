/// A struct that is stored as a row of a table.
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
  /// The table and its columns. Use a `static let`, since every statement uses the table.
  static var table: Table<Self> { get }
}

/// A table that a ``Schema`` can create and check.
public protocol TableDescription: Sendable {
  /// The table's name.
  var name: String { get }
  /// The columns that must exist once the database is open.
  var columnNames: [String] { get }
  /// The statements that create the table, indexes included.
  var creation: [String] { get }
}

/// A virtual table, such as a full-text index, without a mapped type.
public struct VirtualTable: TableDescription {
  /// The table's name.
  public let name: String
  /// The columns, in order.
  public let columnNames: [String]
  /// The statement that creates the table.
  public let creation: [String]

  /// Describes the table `name`; `module` is the text after `USING`, such as `fts5(body, content='')`.
  public init(_ name: String, columns: [String], using module: String) {
    self.name = name
    columnNames = columns
    creation = ["CREATE VIRTUAL TABLE \(quoted(name)) USING \(module)"]
  }
}
