import Foundation
import SkeinStorage
import Testing

@Suite struct MappedRowTests {
  private let full = Note(
    id: NoteID(rawValue: 7), chat: "火锅", rank: -3, number: .max, flag: false, ratio: -1e300, text: "a\0b",
    data: Data([0, 255]), bytes: [1, 2, 3], mood: .cross, rankOrNil: 1, numberOrNil: 2, flagOrNil: true,
    ratioOrNil: 0, textOrNil: "", dataOrNil: Data(), bytesOrNil: [], moodOrNil: .calm,
    idOrNil: NoteID(rawValue: 0))

  @Test("Columns of every type are read as they were stored, and empty values are told apart from nil")
  func roundTrip() async throws {
    try await withNotes { database in
      let empty = Note(8)
      try await database.write { try $0.insert([full, empty]) }
      let read = try await database.read { try $0.select(Note.self, "ORDER BY id") }
      #expect(read == [full, empty])
    }
  }

  @Test(
    "Texts and bytes of any size are read as stored, also if they exceed the statement's buffer",
    arguments: [
      1000, 2047, 2048, 4095, 4096, 4097, 3_000_000,
    ])
  func large(size: Int) async throws {
    try await withNotes { database in
      var note = Note(1, String(repeating: "é", count: size / 2))
      note.data = Data(repeating: 1, count: size)
      note.bytes = [UInt8](repeating: 2, count: size)
      note.textOrNil = String(repeating: "z", count: size)
      let row = note
      try await database.write { try $0.insert([row, Note(2, "small")]) }
      #expect(try await database.read { try $0.find(Note.self, row.id) } == row)
      #expect(try await database.read { try $0.find(Note.self, 2) } == Note(2, "small"))
    }
  }

  @Test("A row is found, updated and deleted by its key")
  func byKey() async throws {
    try await withNotes { database in
      try await database.write { transaction in
        try transaction.insert(full)
        var moved = full
        moved.rank = 12
        moved.textOrNil = nil
        #expect(try transaction.update(moved))
        #expect(try transaction.find(Note.self, full.id) == moved)
        #expect(try transaction.select(Note.self, "WHERE chat = ? AND rank > ?", "火锅", 11) == [moved])
        #expect(try transaction.delete(Note.self, full.id))
        #expect(try !transaction.delete(Note.self, full.id))
        #expect(try !transaction.update(moved))
        #expect(try transaction.find(Note.self, full.id) == nil)
        #expect(try transaction.first(Note.self, "ORDER BY rank") == nil)
      }
    }
  }

  @Test("An upsert adds a row or replaces the whole row, also if its clustering columns change")
  func upsert() async throws {
    try await withNotes { database in
      try await database.write { transaction in
        try transaction.upsert(Note(1, "new"))
        try transaction.upsert(Note(1, "same place"))
        #expect(try transaction.select(Note.self) == [Note(1, "same place")])
        var moved = Note(1, "moved")
        moved.rank = 5
        try transaction.upsert(moved)
        #expect(try transaction.select(Note.self) == [moved])
      }
    }
  }

  @Test("An update writes the columns that differ, and no others")
  func changedColumns() async throws {
    try await withNotes { database in
      try await database.write { transaction in
        try transaction.insert(full)
        // `changed` has the old `number`, so a statement that wrote all columns would undo this change.
        try transaction.execute("UPDATE note SET number = 77")
        var changed = full
        changed.text = "other"
        changed.ratioOrNil = nil
        changed.idOrNil = NoteID(rawValue: 3)
        #expect(try transaction.update(changed, was: full))
        var expected = changed
        expected.number = 77
        #expect(try transaction.find(Note.self, full.id) == expected)
        #expect(try transaction.update(full, was: full))
        #expect(try transaction.find(Note.self, full.id) == expected)

        var moved = expected
        (moved.chat, moved.rank) = ("moved", 99)
        #expect(try transaction.update(moved, was: expected))
        #expect(try transaction.select(Note.self) == [moved])

        // Swift treats both spellings as equal; the stored bytes differ.
        var composed = moved
        composed.text = "\u{E9}"
        var decomposed = moved
        decomposed.text = "e\u{301}"
        try transaction.update(composed, was: moved)
        try transaction.update(decomposed, was: composed)
        #expect(try transaction.scalar(Int.self, "SELECT length(text) FROM note") == 2)

        try transaction.delete(Note.self, full.id)
        #expect(try !transaction.update(decomposed, was: composed))
      }
    }
  }

  @Test("A table with only key columns, whose names are SQL keywords, can be read and written")
  func keyOnly() async throws {
    try await withNotes { database in
      try await database.write { transaction in
        let member = Membership(group: "g", order: "ann")
        try transaction.insert(member)
        try transaction.upsert(member)
        #expect(try transaction.update(member))
        #expect(try transaction.find(Membership.self, "g", "ann") == member)
        #expect(try transaction.delete(Membership.self, "g", "ann"))
      }
    }
  }

  @Test("A query returns scalars and tuples")
  func queries() async throws {
    try await withNotes { database in
      try await database.write { try $0.insert((1...3).map { Note($0, "t\($0)") }) }
      try await database.read { transaction in
        #expect(try transaction.scalar(Int.self, "SELECT count(*) FROM note WHERE id > ?", 1) == 2)
        #expect(try transaction.scalar(Int.self, "SELECT max(id) FROM note WHERE id > 9") == nil)
        #expect(try transaction.scalar(Int.self, "SELECT id FROM note WHERE id > 9") == nil)
        #expect(try transaction.scalar(Double.self, "SELECT 2") == 2)
        #expect(
          try transaction.rows(String.self, "SELECT text FROM note ORDER BY id DESC") == ["t3", "t2", "t1"])
        let pairs = try transaction.rows(
          (NoteID.self, String?.self), "SELECT id, textOrNil FROM note ORDER BY id")
        #expect(pairs.map(\.0.rawValue) == [1, 2, 3])
        #expect(pairs.map(\.1) == [nil, nil, nil])
      }
    }
  }

  @Test("A clause can join a table with the same column names")
  func join() async throws {
    try await withNotes { database in
      try await database.write { transaction in
        try transaction.insert([Note(1), Note(2)])
        let found = try transaction.select(Note.self, "JOIN note AS other ON other.id = note.id + ?", 1)
        #expect(found == [Note(1)])
      }
    }
  }

  @Test("Invalid UTF-8 is read with replacement characters")
  func brokenText() async throws {
    try await withNotes { database in
      let text = try await database.read { try $0.scalar(String.self, "SELECT CAST(x'61FF62' AS TEXT)") }
      #expect(text == "a\u{FFFD}b")
    }
  }
}
