/// Machines only decide: they do not wait, lock or start tasks. The file's name identifies a machine.
enum MachineRule {
  private static let endings = [
    "Lane", "Gate", "Backoff", "SpanMap", "AckTable", "IntakePlan", "GapWalk", "MessageWindow",
    "TimelineSync",
    "LeaseWatch", "ChatDataManager",
  ]
  private static let refused: Set<String> = [
    "async", "await", "actor", "Task", "Mutex", "Atomic", "Synchronization", "CheckedContinuation",
    "UnsafeContinuation", "AsyncStream",
  ]

  static func violations(in file: SourceFile) -> [Violation] {
    guard file.isInSources, ["Skein", "SkeinModel"].contains(file.target), isMachine(file.name) else {
      return []
    }
    return file.tokens.filter { refused.contains($0.text) }.map {
      Violation(
        path: file.path, line: $0.line,
        message: "\($0.text) in a machine: a machine only decides. Answer with an enum, "
          + "and let the actor that holds it do the waiting.")
    }
  }

  /// Whether a file belongs to a machine, as `OutboxLane.swift` and `OutboxLane+Entry.swift` do.
  static func isMachine(_ name: Substring) -> Bool {
    let type = name.prefix { $0 != "+" && $0 != "." }
    return endings.contains { type.hasSuffix($0) }
  }
}
