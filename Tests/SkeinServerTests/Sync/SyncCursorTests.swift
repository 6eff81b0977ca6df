import SkeinWire
import Testing

@testable import SkeinServer

struct SyncCursorTests {
  private let epoch = Wire.Epoch(rawValue: "0123456789abcdef0123456789abcdef")
  private let other = Wire.Epoch(rawValue: "fedcba98765432100123456789abcdef")

  @Test("A cursor survives the round trip through its wire form")
  func roundTrip() {
    let cursors = [
      SyncCursor.beginning, SyncCursor(base: .max),
      SyncCursor(base: 7, page: .init(until: 9, after: ConversationID(rawValue: .max))),
      SyncCursor(base: 7, page: .init(until: 9, after: ConversationID(rawValue: 0), revised: 8)),
    ]
    for cursor in cursors {
      #expect(SyncCursor(cursor.wire(user: "ann", epoch: epoch), user: "ann", epoch: epoch) == cursor)
    }
  }

  @Test("A cursor of another user or epoch is refused")
  func foreign() {
    let cursor = SyncCursor(base: 7).wire(user: "ann", epoch: epoch)
    #expect(SyncCursor(cursor, user: "bo", epoch: epoch) == nil)
    #expect(SyncCursor(cursor, user: "ann", epoch: other) == nil)
  }

  @Test(
    "A text that is not a cursor made by the server is refused",
    arguments: [
      "", "-", "7", "7-", "-7", "7.9-0", "7-0123456789abcdef", "--", "9999999999999999999-0", "é-é",
    ])
  func made(_ text: String) {
    #expect(SyncCursor(Wire.Cursor(rawValue: text), user: "ann", epoch: epoch) == nil)
  }
}
