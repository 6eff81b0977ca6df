import Testing

@Suite("The engine takes time, randomness and tasks from its runtime")
struct EngineRuleTests {
  private func lines(_ text: String, path: String = "Sources/Skein/Sending/A.swift") -> [Int] {
    EngineRule.violations(in: SourceFile(path: path, text: text)).map(\.line)
  }

  @Test(
    "Code that uses the system's clock, random numbers, tasks or threads is reported",
    arguments: [
      "Task { await a() }", "Task<Void, Never> {}", "Task(priority: .low) {}", "Task.init {}",
      "Task.detached {}",
      "Task.immediate {}", "try await Task.sleep(for: .seconds(1))", "Task<Never, Never>.sleep(for: a)",
      "let clock = ContinuousClock()", "SuspendingClock.now", "Date()", "Date.now", "UUID()",
      "Int.random(in: 0..<9)", "Double.random(\n  in: 0...1)", "Bool.random()", "a.shuffled()",
      "a.randomElement()",
      "var g = SystemRandomNumberGenerator()", "DispatchQueue.main.async {}", "import Dispatch",
      "Thread.current", "@MainActor func a() {}", "MainActor.assumeIsolated {}",
    ])
  func refuses(_ code: String) {
    #expect(!lines(code).isEmpty)
    #expect(lines("\n\n" + code).allSatisfy { $0 >= 3 })
  }

  @Test(
    "Code that does not use the system's clock, random numbers, tasks or threads passes",
    arguments: [
      "runtime.spawn { await a() }", "try await runtime.sleep(until: deadline)", "let now = runtime.now",
      "let number = runtime.random()", "Int.random(in: 0..<9, using: &generator)",
      "Int.random(in: low(a)..<9, using: &generator)", "a.shuffled(using: &generator)",
      "a.randomElement(using: &generator)", "group.addTask { await a() }",
      "var tasks: [Task<Void, Never>] = []",
      "Task.isCancelled", "try Task.checkCancellation()", "Date(timeIntervalSince1970: 0)",
      "UUID(uuidString: text)",
      "// Task { } and Date() are refused", "let text = \"Task { Date() }\"",
      "func wait(for duration: Duration) {}",
    ])
  func allows(_ code: String) {
    #expect(lines(code).isEmpty)
  }

  @Test(
    "A loop over a hashed collection is reported",
    arguments: [
      "for lane in lanes.values { go(lane) }", "for id in lanes.keys where id > 0 {}",
      "for a in Set(list) {}",
      "for a in Set<Int>(list) {}", "for (id, lane) in\n  self.lanes.values {}",
      "for a in b.values.map({ $0 }) {}",
      "let lanes: [ID: Lane] = [:]\nfor (id, lane) in lanes {}",
      "var seen: Set<ID> = []\nfor id in self.seen {}",
      "private var seen = Set<ID>()\nfor id in seen {}",
      "var lanes = [ID: [Lane]]()\nfor await (a, b) in lanes {}",
    ])
  func refusesUnorderedLoops(_ code: String) {
    #expect(lines(code).count == 1)
  }

  @Test(
    "A loop over an ordered collection passes",
    arguments: [
      "for lane in lanes.values.sorted(by: \\.rank) {}", "for id in lanes.keys.sorted() {}",
      "for a in list {}",
      "for id in\n  Set(list)\n  .sorted() {}", "let lanes: [Lane] = []\nfor lane in lanes {}",
      "var seen: Set<ID> = []\nfor id in seen.sorted() {}", "for value in row.values() {}",
      "let names = [a(b: 1)]\nfor name in names {}", "wait(for: lanes.values)",
    ])
  func allowsOrderedLoops(_ code: String) {
    #expect(lines(code).isEmpty)
  }

  @Test("Only `Runtime+System.swift` may use the system's clock, random numbers and tasks")
  func allowsSystemRuntime() {
    #expect(lines("Task {}", path: "Sources/SkeinModel/Runtime/Runtime+System.swift").isEmpty)
    #expect(lines("Task {}", path: "Sources/Skein/Runtime/Runtime.swift") == [1])
  }

  @Test("A file named `+Observable.swift` may use the main actor, but not the system's clock")
  func allowsObservable() {
    #expect(
      lines("@MainActor final class A {}", path: "Sources/Skein/List/ChatContext+Observable.swift").isEmpty)
    #expect(lines("Date()", path: "Sources/Skein/List/ChatContext+Observable.swift") == [1])
  }

  @Test("The rule applies to Skein and SkeinModel only")
  func leavesOthersAlone() {
    #expect(lines("Task {}", path: "Sources/SkeinServer/A.swift").isEmpty)
    #expect(lines("Task {}", path: "Tests/Skein/A.swift").isEmpty)
  }
}
