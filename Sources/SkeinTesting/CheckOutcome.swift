#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinModel

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
  if found != expected {
    throw CheckEnd.failed("\(what()) is \(shown(found)), expected \(shown(expected)).")
  }
}

/// A value as a sentence can hold it: no wrappers, and no more than a few lines.
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
