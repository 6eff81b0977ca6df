import Testing

@testable import SkeinCommand

@Suite("The demo trusts no client")
struct DemoScreenTests {
  private func record(_ change: String, _ index: Int, _ id: Int64, _ status: String = "sent") -> EventRecord {
    var record = EventRecord(event: "message")
    (record.change, record.index, record.id, record.status) = (change, index, id, status)
    (record.messageID, record.sender, record.kind, record.text) = ("m\(id)", "alice", "text", "text \(id)")
    return record
  }

  private func message(_ id: Int, content: String? = nil) -> DemoWitness.Message {
    DemoWitness.Message(
      id: "m\(id)", position: id, sender: "alice", kind: "text",
      content: content ?? #"{"text":"text \#(id)"}"#)
  }

  @Test("Steps make the list, and a step that does not fit it is a problem")
  func steps() {
    var screen = DemoScreen()
    screen.take(record("inserted", 0, 2))
    screen.take(record("inserted", 0, 1))
    screen.take(record("changed", 1, 2, "failed"))
    #expect(screen.messages.map(\.id) == [1, 2])
    #expect(screen.messages.map(\.status) == ["sent", "failed"])
    screen.take(record("removed", 0, 1))
    #expect(screen.messages.map(\.id) == [2])
    #expect(screen.problems.isEmpty)
    screen.take(record("removed", 0, 9))
    screen.take(record("inserted", 5, 3))
    #expect(screen.problems.count == 2)
  }

  @Test("What was last said of a message on its way, each moment of a next try, and what was listed are kept")
  func standings() {
    var screen = DemoScreen()
    var list = EventRecord(event: "waiting")
    for (state, until) in [("waitingForConnection", 5), ("waitingForConnection", 9), ("posting", nil)]
      as [(String, Int64?)]
    {
      var standing = EventRecord(event: "standing")
      (standing.messageID, standing.state, standing.until) = ("m1", state, until)
      screen.take(standing)
      list.waiting = [standing]
    }
    screen.take(list)
    #expect(screen.standings["m1"]?.state == "posting")
    #expect(screen.nextTries == [5, 9])
    #expect(screen.waitingLists.map(\.count) == [1])
    #expect(screen.messages.isEmpty && screen.status(of: "m1") == nil)
  }

  @Test("A list is right only if it is the server's newest messages, each once, in order, with their content")
  func comparison() {
    let comparison = DemoComparison(history: [message(1), message(2), message(3)])
    var screen = DemoScreen()
    #expect(comparison.difference(to: screen) != nil)
    screen.take(record("inserted", 0, 2))
    screen.take(record("inserted", 1, 3))
    #expect(comparison.difference(to: screen) == nil)
    #expect(DemoComparison(history: [message(1), message(2)]).difference(to: screen) != nil)
    #expect(DemoComparison(history: [message(2), message(3, content: "{}")]).difference(to: screen) != nil)
    screen.take(record("inserted", 2, 3))
    #expect(comparison.difference(to: screen)?.contains("twice") == true)
  }

  @Test("Ids must be on the server once and in order; others may stand between")
  func order() {
    let comparison = DemoComparison(history: [message(1), message(2), message(3), message(2)])
    #expect(comparison.hasInOrder(["m1", "m3"]))
    #expect(!comparison.hasInOrder(["m3", "m1"]))
    #expect(!comparison.hasInOrder(["m2"]))
    #expect(!comparison.hasInOrder(["m4"]))
  }
}
