import Foundation
import SkeinStorage

struct NoteID: RawRepresentable, ColumnValue, Hashable { let rawValue: Int64 }

enum Mood: String, ColumnValue { case calm, cross }

/// One of everything that a column can hold.
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

/// A key of two columns, and nothing beside it.
struct Membership: Mapped, Equatable {
  var group: String
  var user: String

  static let table = Table(
    "group", key: ["group", "user"], Self.init, Column("group", \.group), Column("user", \.user))
}

let notes = Schema(version: 1, tables: [Note.table, Membership.table])
