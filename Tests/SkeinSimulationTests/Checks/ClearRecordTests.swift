import Skein
import Testing

@testable import SkeinSimulation

@Suite("The record of cleared chats")
struct ClearRecordTests {
  private let record = ClearRecord()
  private let ref = ConversationRef(rawValue: "alice+bob")
  private let row = ConversationID(rawValue: 7)

  private func delete() {
    record.begins(ref, deletes: true)
    record.ends(ref, deleting: row)
  }

  @Test("A deleted chat must not be listed")
  func deleted() {
    delete()
    #expect(record.isDeleted(ref, in: row))
  }

  @Test("If a deleted row was merged into another row, the other row does not count as deleted")
  func merged() {
    delete()
    #expect(!record.isDeleted(ref, in: ConversationID(rawValue: 5)))
  }

  @Test("A deleted chat that returned with a message stays listed when it is cleared")
  func clearedAfterItsReturn() {
    delete()
    record.begins(ref, deletes: false)
    record.ends(ref, deleting: nil)
    #expect(!record.isDeleted(ref, in: row))
  }
}
