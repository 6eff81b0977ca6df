import Foundation
import SkeinModel

/// The answer to a call, or a part of it: a JSON object. Its frame has the specified form, or the answer is refused. The content
/// of events may have any form.
struct MatrixAnswer: Sendable {
  let json: JSONValue
  private let call: String
  /// The names of the fields that lead to this part.
  private var path: [String] = []

  init(_ body: [UInt8], to call: String) throws {
    self.call = call
    let value = try? JSONDecoder().decode(JSONValue.self, from: Data(body.withoutDeepValues))
    guard let value, value.object != nil else {
      throw BackendError(damaged: call, value == nil ? "It is not valid JSON." : "It is no object.")
    }
    json = value
  }

  private init(_ fields: [String: JSONValue], of whole: MatrixAnswer, at field: String) {
    (json, call, path) = (.object(fields), whole.call, whole.path + [field])
  }

  subscript(field: String) -> JSONValue? { json[field] }

  /// The error for a field, whose problem continues its name.
  private func damage(_ field: String, _ problem: String) -> BackendError {
    BackendError(damaged: call, "\((path + [field]).joined(separator: ".")) \(problem)")
  }

  /// The value of a field; nil if it is missing or null.
  private func value<Value>(_ field: String, _ read: (JSONValue) -> Value?) throws -> Value? {
    guard let value = json[field], value != .null else { return nil }
    guard let found = read(value) else { throw damage(field, "has a wrong form.") }
    return found
  }

  // A missing field, and one that is null, is false or empty.

  func flag(_ field: String) throws -> Bool { try value(field, \.bool) ?? false }

  func array(_ field: String) throws -> [JSONValue] { try value(field, \.array) ?? [] }

  func object(_ field: String) throws -> MatrixAnswer {
    MatrixAnswer(try value(field, \.object) ?? [:], of: self, at: field)
  }

  /// The objects in the fields of an object, ordered by their names.
  func objects(_ field: String) throws -> [(name: String, part: MatrixAnswer)] {
    let whole = try object(field)
    return try (whole.json.object ?? [:]).sorted { $0.key < $1.key }.map { name, value in
      guard let fields = value.object else { throw whole.damage(name, "has a wrong form.") }
      return (name, MatrixAnswer(fields, of: whole, at: name))
    }
  }

  /// The events of a timeline or of a page, each once. Malformed events are left out.
  func events(_ field: String) throws -> [RoomEvent] {
    let all = try array(field)
    // Some times as many as are ever requested.
    guard all.count <= 1000 else { throw damage(field, "has \(all.count) events, more than were requested.") }
    var known: Set<ServerMessageID> = []
    return all.compactMap(RoomEvent.init).filter { known.insert($0.id).inserted }
  }

  /// A token of a session or of a place in a history, or the address of a file: a text that fits into the head of a request.
  func token(_ field: String) throws -> String? {
    try value(field) { $0.string.flatMap { (1...4096).contains($0.utf8.count) ? $0 : nil } }
  }

  /// A token that no answer to the call may lack.
  func requiredToken(_ field: String) throws -> String {
    guard let token = try token(field) else { throw damage(field, "is missing.") }
    return token
  }

  /// An id that no answer to the call may lack; see ``JSONValue/id(_:)``.
  func id(_ sign: Character, _ field: String) throws -> String {
    guard let id = json[field]?.id(sign) else { throw damage(field, "is no id.") }
    return id
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
}
