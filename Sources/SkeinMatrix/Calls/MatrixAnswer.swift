#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinModel

/// The answer to a call: a JSON object.
struct MatrixAnswer: Decodable, Sendable {
  let json: JSONValue
  private let call: String

  init(from decoder: any Decoder) throws {
    json = .object(try [String: JSONValue](from: decoder))
    call = CodingUserInfoKey.call.flatMap { decoder.userInfo[$0] as? String } ?? ""
  }

  subscript(field: String) -> JSONValue? { json[field] }

  /// A text that no answer to the call may lack.
  func text(_ field: String) throws -> String {
    guard let text = json[field]?.string, !text.isEmpty else {
      throw BackendError(damaged: call, "\(field) is missing.")
    }
    return text
  }

  /// An id that no answer to the call may lack; see ``JSONValue/id(_:)``.
  func id(_ sign: Character, _ field: String) throws -> String {
    guard let id = json[field]?.id(sign) else { throw BackendError(damaged: call, "\(field) is no id.") }
    return id
  }
}

/// The body of a successful answer.
struct RawAnswer: Sendable {
  let call: String
  let body: [UInt8]

  func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
    let decoder = JSONDecoder()
    if let key = CodingUserInfoKey.call { decoder.userInfo[key] = call }
    do {
      return try decoder.decode(type, from: Data(body.withoutDeepValues))
    } catch let error as DecodingError {
      throw BackendError(damaged: call, error)
    }
  }
}

extension [UInt8] {
  /// The depth of nested arrays and objects that a stack of half a megabyte can decode.
  private static var depth: Int { 100 }

  /// The JSON with `null` in place of each array and object that is nested too deep.
  fileprivate var withoutDeepValues: [UInt8] {
    var (depth, isText, isEscaped) = (0, false, false)
    var result: [UInt8] = []
    result.reserveCapacity(count)
    for byte in self {
      let isKept = depth <= Self.depth
      switch byte {
      case _ where isText:
        isText = byte != UInt8(ascii: "\"") || isEscaped
        isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
      case UInt8(ascii: "\""): isText = true
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        if depth == Self.depth + 1 { result += "null".utf8 }
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      default: break
      }
      if isKept, depth <= Self.depth { result.append(byte) }
    }
    return result
  }
}

extension CodingUserInfoKey {
  /// The call that a decoder reads the answer to.
  fileprivate static var call: CodingUserInfoKey? { CodingUserInfoKey(rawValue: "call") }
}

extension BackendError {
  /// The error for an answer that does not conform to the specification. It may come from an intermediary, such as a
  /// proxy, so the call is repeated later.
  ///
  /// - Parameters:
  ///   - call: the method and the path of the call, as in `GET v3/sync`.
  ///   - problem: the first part of the answer that can't be read, and the reason.
  init(damaged call: String, _ problem: String) {
    let problem = problem.prefix(300)
    self.init(.transient, "The answer to \(call) can't be read. \(problem)", outcomeIsUnknown: true)
  }

  init(damaged call: String, _ error: DecodingError) {
    switch error {
    case .keyNotFound(let key, let context):
      self.init(damaged: call, "\((context.codingPath + [key]).joined) is missing.")
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      let place = context.codingPath.joined
      self.init(damaged: call, (place.isEmpty ? "" : "\(place): ") + context.debugDescription)
    @unknown default: self.init(damaged: call, "Its form is unknown.")
    }
  }
}

extension [any CodingKey] {
  fileprivate var joined: String { map(\.stringValue).joined(separator: ".") }
}
