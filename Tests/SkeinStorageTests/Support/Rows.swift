import Foundation
import SkeinStorage
import Testing

struct NoteID: RawRepresentable, ColumnValue, Hashable { let rawValue: Int64 }

enum Mood: String, ColumnValue { case calm, cross }

/// A row with columns of each type and of each optional type.
struct Note: Mapped, Equatable {
  var id: NoteID
  var chat = "c"
  var rank: Int = 0
  var number: Int64 = .min
  var flag = true
  var ratio = 0.5
  var text = ""
  var data = Data()
  var bytes: [UInt8] = []
  var mood = Mood.calm
  var rankOrNil: Int?
  var numberOrNil: Int64?
  var flagOrNil: Bool?
  var ratioOrNil: Double?
  var textOrNil: String?
  var dataOrNil: Data?
  var bytesOrNil: [UInt8]?
  var moodOrNil: Mood?
  var idOrNil: NoteID?

  static let table = Table(
    "note", key: ["id"], clusteredBy: ["chat", "rank", "id"],
    indexes: [Index(["chat", "number"]), Index(["chat"], unique: true, where: "textOrNil = 'only'")],
    Self.init, Column("id", \.id), Column("chat", \.chat), Column("rank", \.rank), Column("number", \.number),
    Column("flag", \.flag), Column("ratio", \.ratio), Column("text", \.text), Column("data", \.data),
    Column("bytes", \.bytes), Column("mood", \.mood), Column("rankOrNil", \.rankOrNil),
    Column("numberOrNil", \.numberOrNil), Column("flagOrNil", \.flagOrNil),
    Column("ratioOrNil", \.ratioOrNil),
    Column("textOrNil", \.textOrNil), Column("dataOrNil", \.dataOrNil), Column("bytesOrNil", \.bytesOrNil),
    Column("moodOrNil", \.moodOrNil), Column("idOrNil", \.idOrNil))
}

extension Note {
  init(_ id: Int64, _ text: String = "") {
    self.init(id: NoteID(rawValue: id), text: text)
  }
}

/// A row whose only columns are its key, named like keywords of SQL.
struct Membership: Mapped, Equatable {
  var group: String
  var order: String

  static let table = Table(
    "table", key: ["group", "order"], Self.init, Column("group", \.group), Column("order", \.order))
}

let notes = Schema(version: 1, tables: [Note.table, Membership.table])

/// Runs `body` on a database of notes in a temporary folder.
func withNotes<T>(
  _ options: DatabaseOptions = DatabaseOptions(), _ body: (Database) async throws -> T
) async throws -> T {
  try await withTemporaryFolder { folder in
    let database = try await Database.open(at: folder.appending(path: "db"), schema: notes, options: options)
    let answer = try await body(database)
    await database.close()
    return answer
  }
}

/// The ``StorageError`` thrown by `body`, if any.
func storageError<T>(_ body: () async throws -> T) async -> StorageError? {
  do { _ = try await body() } catch { return error as? StorageError }
  return nil
}

/// Expects `body` to throw a ``StorageError`` with this code.
func expectStorage<T>(
  _ code: StorageError.Code, at location: SourceLocation = #_sourceLocation, _ body: () async throws -> T
) async {
  let error = await storageError(body)
  #expect(error?.code == code, sourceLocation: location)
}
