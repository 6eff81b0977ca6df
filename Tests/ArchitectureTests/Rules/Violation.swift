import Testing

/// A line that breaks a rule: where, what is wrong, and what to do instead.
struct Violation: Equatable, CustomStringConvertible {
  let path: String
  /// From 1.
  let line: Int
  let message: String

  var description: String { "\(path):\(line): \(message)" }
}

/// Fails the running test once for each violation.
func report(_ violations: [Violation], sourceLocation: SourceLocation = #_sourceLocation) {
  for violation in violations {
    Issue.record("\(violation)", sourceLocation: sourceLocation)
  }
}
