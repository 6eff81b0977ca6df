import Testing

@Suite("Machines only decide")
struct MachineRuleTests {
  private func lines(_ text: String, file: String) -> [Int] {
    MachineRule.violations(in: SourceFile(path: "Sources/Skein/\(file)", text: text)).map(\.line)
  }

  private static let files = [
    "Sending/OutboxLane.swift", "Sending/OutboxLane+Entry.swift", "History/SpanMap.swift",
    "Sync/CatchUpGate.swift",
    "Sync/ReconnectBackoff.swift", "Sync/AckTable.swift",
  ]

  @Test("A machine that waits, locks or starts tasks is reported", arguments: files)
  func refuses(_ file: String) {
    #expect(lines("struct A {\n  func b() async {}\n}", file: file) == [2])
    #expect(lines("\n\nawait a()", file: file) == [3])
    #expect(lines("import Synchronization", file: file) == [1])
    #expect(lines("let a: Mutex<Int>", file: file) == [1])
  }

  @Test("A machine that only decides passes", arguments: files)
  func allows(_ file: String) {
    #expect(lines("/// Never use async here.\nmutating func poke() -> Answer { .fetch }", file: file).isEmpty)
  }

  @Test("Code in other files may wait")
  func leavesOthersAlone() {
    #expect(lines("await a()", file: "Sending/Outbox.swift").isEmpty)
    #expect(lines("await a()", file: "Sending/Laneless.swift").isEmpty)
  }
}
