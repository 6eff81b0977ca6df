import Testing

/// A line that violates a rule, with the reason and a remedy.
struct Violation: Equatable, CustomStringConvertible {
  let path: String
  /// The number of the line, from 1.
  let line: Int
  let message: String

  var description: String { "\(path):\(line): \(message)" }
}

/// Records an issue for each violation.
func report(_ violations: [Violation], sourceLocation: SourceLocation = #_sourceLocation) {
  for violation in violations {
    Issue.record("\(violation)", sourceLocation: sourceLocation)
  }
}
