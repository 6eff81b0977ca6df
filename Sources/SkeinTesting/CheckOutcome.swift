#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinModel

/// The outcome of a check that did not fail.
public enum CheckOutcome: Sendable, Hashable {
  /// The backend fulfills the sentence.
  case passed
  /// The backend was not checked; the reason is a sentence.
  case skipped(reason: String)
}

/// A violation of the contract.
public struct ConformanceFailure: Error, Sendable, CustomStringConvertible {
  /// The sentence of the contract.
  public let check: String
  /// The expected and the actual result, in one or two sentences.
  public let detail: String

  /// The sentence and the violation.
  public var description: String { "\(check): \(detail)" }
}

/// The early end of a check's body; ``BackendCheck/run(on:within:)`` adds the check's name to a failure.
enum CheckEnd: Error {
  case failed(String)
  case skipped(String)
}

/// Fails the check unless a condition is true.
func expect(_ isSo: Bool, _ otherwise: @autoclosure () -> String) throws {
  if !isSo { throw CheckEnd.failed(otherwise()) }
}

/// Fails the check unless two values are equal.
func expect<Value: Equatable>(_ found: Value, is expected: Value, _ what: @autoclosure () -> String) throws {
  if found != expected {
    throw CheckEnd.failed("\(what()): \(shown(found)) instead of \(shown(expected)).")
  }
}

/// Returns a value as text for a sentence: without wrappers, and cut to 600 characters.
private func shown(_ value: Any) -> String {
  let mirror = Mirror(reflecting: value)
  if mirror.displayStyle == .optional { return mirror.children.first.map { shown($0.value) } ?? "nothing" }
  let text =
    switch value {
    case let data as Data: String(decoding: data, as: UTF8.self)
    case let raw as any RawRepresentable: "\(raw.rawValue)"
    case let list as [Any]: "[\(list.map(shown).joined(separator: ", "))]"
    case let receipt as SendReceipt:
      "(\(shown(receipt.serverID as Any)), \(shown(receipt.position as Any)), \(shown(receipt.time as Any)))"
    default: "\(value)"
    }
  return text.count > 600 ? "\(text.prefix(600))…" : text
}
