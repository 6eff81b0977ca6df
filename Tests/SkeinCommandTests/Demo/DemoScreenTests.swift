import Testing

@testable import SkeinCommand

@Suite("The demo checks its clients")
struct DemoScreenTests {
  private func record(
    _ change: StepRecord.Change, _ index: Int, _ id: Int64, _ status: MessageRecord.Status = .sent,
    time: Int64? = nil
  ) -> EventRecord {
    .message(
      StepRecord(change, index),
      MessageRecord(
        id: id, messageID: "m\(id)", sender: "alice", own: false, time: time ?? id, kind: "text",
        text: "text \(id)", status: status))
  }

  private func message(_ id: Int, content: String? = nil) -> DemoWitness.Message {
    DemoWitness.Message(
      id: "m\(id)", position: id, sender: "alice", time: Int64(id), kind: "text",
      content: content ?? #"{"text":"text \#(id)"}"#)
  }

  @Test("Steps build the list; a step that does not fit the list is a problem")
  func steps() {
    var screen = DemoScreen()
    screen.apply(record(.inserted, 0, 2))
    screen.apply(record(.inserted, 0, 1))
    screen.apply(record(.changed, 1, 2, .failed))
    #expect(screen.messages.map(\.id) == [1, 2])
    #expect(screen.messages.map(\.status) == [.sent, .failed])
    screen.apply(record(.removed, 0, 1))
    #expect(screen.messages.map(\.id) == [2])
    #expect(screen.problems.isEmpty)
    screen.apply(record(.removed, 0, 9))
    screen.apply(record(.inserted, 5, 3))
    #expect(screen.problems.count == 2)
  }

  @Test("A message's last state, the times of its next attempts and the lists of unsent messages are kept")
  func standings() {
    var screen = DemoScreen()
    var listed: [StandingRecord] = []
    for (state, until) in [(.waitingForConnection, 5), (.waitingForConnection, 9), (.posting, nil)]
      as [(StandingRecord.State, Int64?)]
    {
      let standing = StandingRecord(id: 1, messageID: "m1", state: state, until: until, note: "")
      screen.apply(.standing(standing))
      listed = [standing]
    }
    screen.apply(.waiting(listed))
    #expect(screen.standings["m1"]?.state == .posting)
    #expect(screen.nextTries == [5, 9])
    #expect(screen.waitingLists.map(\.count) == [1])
    #expect(screen.messages.isEmpty && screen.status(of: "m1") == nil)
  }

  @Test("A correct list has the server's newest messages, each once, in order, with their content")
  func comparison() {
    let comparison = DemoComparison(history: [message(1), message(2), message(3)])
    var screen = DemoScreen()
    #expect(comparison.difference(to: screen) != nil)
    screen.apply(record(.inserted, 0, 2))
    screen.apply(record(.inserted, 1, 3))
    #expect(comparison.difference(to: screen) == nil)
    #expect(DemoComparison(history: [message(1), message(2)]).difference(to: screen) != nil)
    #expect(DemoComparison(history: [message(2), message(3, content: "{}")]).difference(to: screen) != nil)
    screen.apply(record(.inserted, 2, 3))
    #expect(comparison.difference(to: screen)?.contains("twice") == true)
  }

  @Test("A correct list after a jump is a contiguous part of the history, with each message once")
  func stretch() throws {
    let comparison = DemoComparison(history: (1...5).map { message($0) })
    func screen(_ ids: [Int64]) -> DemoScreen {
      var screen = DemoScreen()
      for (index, id) in ids.enumerated() { screen.apply(record(.inserted, index, id)) }
      return screen
    }
    #expect(try comparison.stretch(of: screen([2, 3, 4])) == 1..<4)
    #expect(try comparison.stretch(of: screen([1, 2, 3, 4, 5])) == 0..<5)
    for ids: [Int64] in [[], [2, 4], [3, 2], [2, 2, 3], [4, 5, 6], [9]] {
      #expect(throws: DemoFailure.self) { try comparison.stretch(of: screen(ids)) }
    }
    let gap = EventRecord.gap(StepRecord(.inserted, 1), GapRecord(.open))
    var holed = screen([2, 3])
    holed.apply(gap)
    #expect(throws: DemoFailure.self) { try comparison.stretch(of: holed) }
    var late = screen([2])
    late.apply(record(.changed, 0, 2, time: 9))
    #expect(throws: DemoFailure.self) { try comparison.stretch(of: late) }
  }

  @Test("Unread counts are correct only if they are exact and equal to the expected counts")
  func unread() {
    var screen = DemoScreen()
    func list(_ name: String, _ unread: Int, isAtLeast: Bool = false) {
      let chat = ConversationRecord(id: 1, name: name, unread: unread, unreadIsAtLeast: isAtLeast)
      screen.apply(.conversation(StepRecord(.changed, 0), chat))
    }
    list("Choir", 3)
    list("Chess", 4)
    #expect(screen.difference(toUnread: ["Choir": 3, "Chess": 4]) == nil)
    #expect(screen.difference(toUnread: ["Choir": 3, "Chess": 5]) == "Chess has 4 unread, not 5")
    #expect(screen.difference(toUnread: ["Garden": 1]) == "Garden is not in the list")
    list("Chess", 5, isAtLeast: true)
    #expect(screen.difference(toUnread: ["Chess": 5]) == "Chess has 5 or more unread, not 5")
  }

  @Test("The given ids must be on the server in order and once each; other ids may be between them")
  func order() {
    let comparison = DemoComparison(history: [message(1), message(2), message(3), message(2)])
    #expect(comparison.hasInOrder(["m1", "m3"]))
    #expect(!comparison.hasInOrder(["m3", "m1"]))
    #expect(!comparison.hasInOrder(["m2"]))
    #expect(!comparison.hasInOrder(["m4"]))
  }
}
