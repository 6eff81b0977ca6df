import Testing

@testable import SkeinCommand

@Suite("The demo trusts no client")
struct DemoScreenTests {
  private func record(_ change: String, _ index: Int, _ id: Int64, _ status: String = "sent") -> EventRecord {
    var record = EventRecord(event: "message")
    (record.change, record.index, record.id, record.status) = (change, index, id, status)
    (record.messageID, record.sender, record.kind, record.text) = ("m\(id)", "alice", "text", "text \(id)")
    record.time = id
    return record
  }

  private func message(_ id: Int, content: String? = nil) -> DemoWitness.Message {
    DemoWitness.Message(
      id: "m\(id)", position: id, sender: "alice", time: Int64(id), kind: "text",
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

  @Test("A list that jumped is right only if it is neighbours on the server, each once, at their times")
  func stretch() throws {
    let comparison = DemoComparison(history: (1...5).map { message($0) })
    func screen(_ ids: [Int64]) -> DemoScreen {
      var screen = DemoScreen()
      for (index, id) in ids.enumerated() { screen.take(record("inserted", index, id)) }
      return screen
    }
    #expect(try comparison.stretch(of: screen([2, 3, 4])) == 1..<4)
    #expect(try comparison.stretch(of: screen([1, 2, 3, 4, 5])) == 0..<5)
    for ids: [Int64] in [[], [2, 4], [3, 2], [2, 2, 3], [4, 5, 6], [9]] {
      #expect(throws: DemoFailure.self) { try comparison.stretch(of: screen(ids)) }
    }
    var gap = EventRecord(event: "gap")
    (gap.change, gap.index) = ("inserted", 1)
    var holed = screen([2, 3])
    holed.take(gap)
    #expect(throws: DemoFailure.self) { try comparison.stretch(of: holed) }
    var late = screen([2])
    var changed = record("changed", 0, 2)
    changed.time = 9
    late.take(changed)
    #expect(throws: DemoFailure.self) { try comparison.stretch(of: late) }
  }

  @Test("Unread counts are right only if each chat has its own, and knows that there are no more")
  func unread() {
    var screen = DemoScreen()
    func take(_ name: String, _ unread: Int, isAtLeast: Bool = false) {
      var record = EventRecord(event: "conversation")
      (record.name, record.unread, record.unreadIsAtLeast) = (name, unread, isAtLeast)
      screen.take(record)
    }
    take("Choir", 3)
    take("Chess", 4)
    #expect(screen.difference(toUnread: ["Choir": 3, "Chess": 4]) == nil)
    #expect(screen.difference(toUnread: ["Choir": 3, "Chess": 5]) == "Chess has 4 unread, not 5")
    #expect(screen.difference(toUnread: ["Garden": 1]) == "Garden is not in the list")
    take("Chess", 5, isAtLeast: true)
    #expect(screen.difference(toUnread: ["Chess": 5]) == "Chess has 5 or more unread, not 5")
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
