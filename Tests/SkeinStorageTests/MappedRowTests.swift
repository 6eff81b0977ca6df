import Foundation
import SkeinStorage
import Testing

@Suite struct MappedRowTests {
  private let full = Note(
    id: NoteID(rawValue: 7), chat: "火锅", rank: -3, number: .max, flag: false, ratio: -1e300, text: "a\0b",
    data: Data([0, 255]), bytes: [1, 2, 3], mood: .cross, rankOrNil: 1, numberOrNil: 2, flagOrNil: true,
    ratioOrNil: 0, textOrNil: "", dataOrNil: Data(), bytesOrNil: [], moodOrNil: .calm,
    idOrNil: NoteID(rawValue: 0))

  @Test("Every column type comes back as it was stored, empty and nil apart")
  func roundTrip() async throws {
    try await withTemporaryFolder { folder in
      let database = try await Database.open(at: folder.appending(path: "db"), schema: notes)
      let empty = Note(id: NoteID(rawValue: 8))
      try await database.write { try $0.insert([full, empty]) }
      let read = try await database.read { try $0.select(Note.self, "ORDER BY id") }
      #expect(read == [full, empty])
      await database.close()
    }
  }
}
