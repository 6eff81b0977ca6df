import CReferenceSQLite
import Foundation
import SkeinStorage

/// Rows that are stored and read as mapped types, against the C API of SQLite called from Swift with the same
/// statements, values and settings. Each round measures both, each on a new file; the order changes.
struct Storage {
  let bench: Workbench
  let rounds: Int

  private struct Row: Mapped, Equatable {
    let id: Int64
    let conversation: Int64
    let rank: Int64
    let sender: String
    let kind: String
    let payload: Data
    let note: String?

    static let table = SkeinStorage.Table(
      "message", key: ["id"], indexes: [Index(["conversation", "rank"])],
      Self.init, Column("id", \.id), Column("conversation", \.conversation), Column("rank", \.rank),
      Column("sender", \.sender), Column("kind", \.kind), Column("payload", \.payload), Column("note", \.note)
    )
  }

  private static func row(_ number: Int64) -> Row {
    Row(
      id: number, conversation: number % 10, rank: number, sender: "user-\(number % 7)", kind: "text",
      payload: Data("{\"text\":\"This is the message with the number \(number).\"}".utf8),
      note: number % 3 == 0 ? "a note" : nil)
  }

  private static let page = "WHERE conversation = ? AND rank < ? ORDER BY rank DESC LIMIT 50"
  private static let columns = "id, conversation, rank, sender, kind, payload, note"

  func figures(rows: Int, pages: Int) async throws -> [Figure] {
    let folder = bench.path()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var (inserts, plainInserts): ([Double], [Double]) = ([], [])
    var (reads, plainReads): ([Double], [Double]) = ([], [])
    let values = (1...Int64(rows)).map(Self.row)
    for round in 0..<rounds {
      for isMapped in round % 2 == 0 ? [true, false] : [false, true] {
        let file = folder.appending(path: "\(round)-\(isMapped ? "mapped" : "plain").sqlite")
        let database = try await Database.open(at: file, schema: Schema(version: 1, tables: [Row.table]))
        if isMapped {
          let times = try await mapped(values, pages, in: database)
          inserts.append(Double(rows) / times.insert.seconds)
          reads.append(times.read.milliseconds * 1000 / Double(pages))
          await database.close()
        } else {
          await database.close()
          let times = try plain(values, pages, in: file)
          plainInserts.append(Double(rows) / times.insert.seconds)
          plainReads.append(times.read.milliseconds * 1000 / Double(pages))
        }
      }
    }
    let page = plainReads.percentile(0.5)
    return [
      Figure(
        "storage.insert", inserts, "rows/s", .higher, reference: plainInserts.percentile(0.5)),
      Figure("storage.page.50", reads, "µs", budget: page * 1.1, reference: page),
    ]
  }

  private func mapped(_ values: [Row], _ pages: Int, in database: Database) async throws
    -> (insert: Duration, read: Duration)
  {
    let insert = try await time { try await database.write(.kill) { try $0.insert(values) } }
    let read = try await time {
      let count = try await database.read { rows in
        try Self.pages(pages) { try rows.select(Row.self, Self.page, $0, $1) }
      }
      guard count == pages * 50 else { throw BenchError("\(count) rows were read.") }
    }
    return (insert, read)
  }

  private func plain(_ values: [Row], _ pages: Int, in file: URL) throws -> (insert: Duration, read: Duration)
  {
    let plain = try Plain(file)
    defer { plain.close() }
    let clock = ContinuousClock()
    let insert = try clock.measure {
      try plain.execute("BEGIN")
      let statement = try plain.prepared("INSERT INTO message (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?)")
      for value in values { try plain.insert(value, by: statement) }
      sqlite3_finalize(statement)
      try plain.execute("COMMIT")
    }
    let read = try clock.measure {
      try plain.execute("BEGIN")
      let statement = try plain.prepared("SELECT \(Self.columns) FROM message \(Self.page)")
      let count = try Self.pages(pages) { try plain.rows(by: statement, $0, $1) }
      sqlite3_finalize(statement)
      try plain.execute("COMMIT")
      guard count == pages * 50 else { throw BenchError("\(count) rows were read in C.") }
    }
    return (insert, read)
  }

  /// Reads pages of ten conversations, and returns the number of their rows.
  private static func pages(_ count: Int, _ read: (Int64, Int64) throws -> [Row]) rethrows -> Int {
    var rows = 0
    for page in 0..<Int64(count) { rows += try read(page % 10, 600 + page % 400).count }
    return rows
  }

  /// A connection that is used by the C API only.
  private final class Plain {
    private var connection: OpaquePointer?
    /// SQLite copies what is bound.
    private let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    init(_ file: URL) throws {
      guard sqlite3_open(file.path, &connection) == SQLITE_OK else { throw failure }
      // The settings of `SkeinStorage`.
      try execute(
        """
        PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -8000;
        PRAGMA wal_autocheckpoint = 4000
        """)
    }

    func close() { sqlite3_close(connection) }

    func execute(_ sql: String) throws {
      guard sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK else { throw failure }
    }

    func prepared(_ sql: String) throws -> OpaquePointer? {
      var statement: OpaquePointer?
      guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK else { throw failure }
      return statement
    }

    func insert(_ row: Row, by statement: OpaquePointer?) throws {
      sqlite3_bind_int64(statement, 1, row.id)
      sqlite3_bind_int64(statement, 2, row.conversation)
      sqlite3_bind_int64(statement, 3, row.rank)
      bind(row.sender, to: statement, at: 4)
      bind(row.kind, to: statement, at: 5)
      row.payload.withUnsafeBytes { bytes in
        _ = sqlite3_bind_blob(statement, 6, bytes.baseAddress, Int32(bytes.count), transient)
      }
      if let note = row.note { bind(note, to: statement, at: 7) } else { sqlite3_bind_null(statement, 7) }
      guard sqlite3_step(statement) == SQLITE_DONE else { throw failure }
      sqlite3_reset(statement)
    }

    private func bind(_ text: String, to statement: OpaquePointer?, at index: Int32) {
      var text = text
      text.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) {
          _ = sqlite3_bind_text(statement, index, $0.baseAddress, Int32($0.count), transient)
        }
      }
    }

    func rows(by statement: OpaquePointer?, _ conversation: Int64, _ rank: Int64) throws -> [Row] {
      sqlite3_bind_int64(statement, 1, conversation)
      sqlite3_bind_int64(statement, 2, rank)
      var rows: [Row] = []
      while sqlite3_step(statement) == SQLITE_ROW {
        rows.append(
          Row(
            id: sqlite3_column_int64(statement, 0), conversation: sqlite3_column_int64(statement, 1),
            rank: sqlite3_column_int64(statement, 2), sender: text(statement, 3), kind: text(statement, 4),
            payload: Data(
              bytes: sqlite3_column_blob(statement, 5), count: Int(sqlite3_column_bytes(statement, 5))),
            note: sqlite3_column_type(statement, 6) == SQLITE_NULL ? nil : text(statement, 6)))
      }
      sqlite3_reset(statement)
      return rows
    }

    private func text(_ statement: OpaquePointer?, _ column: Int32) -> String {
      let bytes = UnsafeBufferPointer(
        start: sqlite3_column_text(statement, column), count: Int(sqlite3_column_bytes(statement, column)))
      return String(decoding: bytes, as: UTF8.self)
    }

    private var failure: BenchError {
      BenchError("SQLite: \(sqlite3_errmsg(connection).map { String(cString: $0) } ?? "no connection")")
    }
  }
}
