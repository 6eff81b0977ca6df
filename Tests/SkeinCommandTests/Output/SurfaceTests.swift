import Foundation
import Skein
import SkeinTerminal
import Testing

@testable import SkeinCommand

@Suite("Surfaces show events")
struct SurfaceTests {
  @Test("An event is one line of JSON with sorted keys and without raw control characters; help has no line")
  func json() {
    var surface = JSONSurface()
    #expect(
      surface.text(for: .page(count: 3, hasMore: true)) == #"{"count":3,"event":"page","hasMore":true}"#
        + "\n")
    let text = surface.text(for: .problem("a\u{1B}[2J\u{9B}\u{7F}\nb"))
    #expect(text == #"{"event":"problem","reason":"a\u001b[2J\u009b\u007f\nb"}"# + "\n")
    #expect(surface.text(for: .help(Instruction.table)) == "")
  }

  @Test("Escaped JSON decodes to the original text")
  func roundTrip() throws {
    var surface = JSONSurface()
    let text = "\u{0}\u{1B}\u{7F}\u{80}\u{9F}\"\\/ 你好 🙂"
    let line = surface.text(for: .problem(text))
    let record = try JSONDecoder().decode(EventRecord.self, from: Data(line.utf8))
    #expect(record == .problem(ProblemRecord(reason: text)))
  }

  @Test("A connection is reported when it is made or lost, not while it is being made")
  func connection() {
    var surface = PlainSurface(account: "alice")
    #expect(surface.text(for: .connection(.connecting)) == "")
    #expect(surface.text(for: .connection(.offline)) == "-- offline; new messages wait here\n")
    #expect(surface.text(for: .connection(.connecting)) == "")
    #expect(surface.text(for: .connection(.offline)) == "")
    #expect(surface.text(for: .connection(.online)) == "-- online\n")
    #expect(surface.text(for: .connection(.online)) == "")
  }

  @Test("An empty chat and an empty list of conversations show a hint")
  func empty() {
    var surface = PlainSurface(account: "alice")
    _ = surface.text(for: .opened(ConversationID(rawValue: 1), name: "bob", count: 0, hasMore: false))
    #expect(surface.text(for: .settled).contains("type a text"))
    #expect(surface.text(for: .list([])).contains("No conversations"))
  }

  @Test(
    "No line is wider than the terminal, or than 24 columns if the terminal is narrower",
    arguments: [10, 40, 80])
  func width(columns: Int) {
    var surface = TerminalSurface(width: columns, height: 24, style: Style(isOn: false))
    let text =
      surface.text(for: .problem(String(repeating: "word ", count: 60)))
      + surface.text(for: .help(Instruction.table))
    #expect(text.split(separator: "\n").allSatisfy { String($0).columns < max(columns, 24) })
  }
}
