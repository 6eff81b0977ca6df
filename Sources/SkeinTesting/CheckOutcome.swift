/// How a check ended that did not fail.
public enum CheckOutcome: Sendable, Hashable {
  /// The backend does as the sentence says.
  case passed
  /// The backend was not asked; the reason is a sentence.
  case skipped(reason: String)
}

/// Why a backend does not keep the contract.
public struct ConformanceFailure: Error, Sendable, CustomStringConvertible {
  /// The sentence of the contract.
  public let check: String
  /// What was expected and what came, in one or two sentences.
  public let detail: String

  /// The sentence, and what was wrong.
  public var description: String { "\(check): \(detail)" }
}

/// What a check's body ends with; ``BackendCheck/run(on:within:)`` adds whose it is.
enum CheckEnd: Error {
  case failed(String)
  case skipped(String)
}

/// Ends the check unless something is so.
func expect(_ isSo: Bool, _ otherwise: @autoclosure () -> String) throws {
  if !isSo { throw CheckEnd.failed(otherwise()) }
}

/// Ends the check unless two values are the same.
func expect<Value: Equatable>(_ found: Value, is expected: Value, _ what: @autoclosure () -> String) throws {
  if found != expected { throw CheckEnd.failed("\(what()) is \(found), expected \(expected).") }
}
