/// The engine takes time, randomness and tasks from its `Runtime` and never depends on the order of hashing,
/// so that a simulation can be replayed from its seed.
enum EngineRule {
  /// Forbidden code and its replacements.
  private static let refused: [(code: [String], instead: String)] = [
    (
      ["Task {", "Task(", "Task.init", "Task.detached", "Task.immediate", "Task.immediateDetached"],
      "spawn it with the runtime: a bare task leaves the simulated world's executor."
    ),
    (
      ["Task.sleep", "ContinuousClock", "SuspendingClock", "DispatchTime"],
      "wait with the runtime's sleep and read its uptime: the simulated clock is virtual."
    ),
    (["Date()", "Date.now", "Date.init()"], "ask the runtime for now: the simulated clock is virtual."),
    (
      ["UUID()", "UUID.init()", "Bool.random()", ".shuffled()", ".shuffle()", ".randomElement()"],
      "draw from the runtime's random numbers: everything random comes from the seed."
    ),
    (
      ["SystemRandomNumberGenerator"],
      "draw from the runtime's random numbers: everything random comes from the seed."
    ),
    (
      ["import Dispatch", "DispatchQueue", "DispatchSource", "DispatchGroup", "DispatchSemaphore", "Thread"],
      "use an actor, or spawn with the runtime: threads and queues escape the simulated world."
    ),
  ]

  /// The only file that is not checked. The file implements `Runtime` with the system's clock, random numbers
  /// and tasks.
  private static let systemRuntime = "Sources/SkeinModel/Runtime/Runtime+System.swift"

  static func violations(in file: SourceFile) -> [Violation] {
    guard ["Skein", "SkeinModel"].contains(file.target), file.isInSources, file.path != systemRuntime else {
      return []
    }
    return refusedCode(in: file) + globalRandom(in: file) + mainActor(in: file) + unorderedLoops(in: file)
  }

  private static func refusedCode(in file: SourceFile) -> [Violation] {
    refused.flatMap { rule in
      rule.code.flatMap { code in
        Pattern(code).lines(in: file.tokens).map {
          Violation(path: file.path, line: $0, message: "the engine must not use \(code); \(rule.instead)")
        }
      }
    }
  }

  /// `.random(in:)` draws from the system unless a generator is given with `using:`.
  private static func globalRandom(in file: SourceFile) -> [Violation] {
    let pattern = Pattern(".random(in:")
    return file.tokens.indices.filter { pattern.matches(file.tokens, at: $0) }.compactMap { index in
      var depth = 0
      for token in file.tokens[index...] {
        if token.text == "(" { depth += 1 }
        if token.text == ")" { depth -= 1 }
        if token.text == ")", depth == 0 { break }
        if token.text == "using", depth == 1 { return nil }
      }
      return Violation(
        path: file.path, line: file.tokens[index].line,
        message: "the engine must not call .random(in:) without the argument `using`; "
          + "draw from the runtime's random numbers: everything random comes from the seed.")
    }
  }

  private static func mainActor(in file: SourceFile) -> [Violation] {
    guard !file.name.hasSuffix("+Observable.swift") else { return [] }
    return Pattern("MainActor").lines(in: file.tokens).map {
      Violation(
        path: file.path, line: $0,
        message: "only a …+Observable.swift file may use the main actor: "
          + "a simulated world does not run the main actor's jobs.")
    }
  }

  /// Loops over sets and dictionaries. A loop whose sequence contains a call of `sorted` is allowed.
  private static func unorderedLoops(in file: SourceFile) -> [Violation] {
    let tokens = file.tokens
    let unordered = UnorderedNames(in: tokens)
    return tokens.indices.compactMap { index in
      guard let sequence = UnorderedNames.loopedSequence(in: tokens, at: index), unordered.orders(sequence)
      else {
        return nil
      }
      return Violation(
        path: file.path, line: tokens[index].line,
        message: "the loop runs in the order of a Set or Dictionary, which differs from run to run: "
          + "loop over .sorted(), or keep the values in an array.")
    }
  }
}
