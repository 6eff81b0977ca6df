import Foundation
import SkeinModel

/// Any JSON: the content of events, whose fields depend on the client that sent them.
enum JSONValue: Sendable, Hashable, Codable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if let string = try? value.decode(String.self) {
      self = .string(string)
    } else if let fields = try? value.decode([String: JSONValue].self) {
      self = .object(fields)
    } else if let elements = try? value.decode([JSONValue].self) {
      self = .array(elements)
    } else if let integer = try? value.decode(Int64.self) {
      self = .integer(integer)
    } else if let bool = try? value.decode(Bool.self) {
      self = .bool(bool)
    } else {
      // A number that no Double represents, or a text that is no Unicode, does not spoil the rest.
      self = (try? value.decode(Double.self)).map { .number($0) } ?? .null
    }
  }

  func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .null: try value.encodeNil()
    case .bool(let bool): try value.encode(bool)
    case .integer(let integer): try value.encode(integer)
    case .number(let number): try value.encode(number)
    case .string(let string): try value.encode(string)
    case .array(let elements): try value.encode(elements)
    case .object(let fields): try value.encode(fields)
    }
  }

  /// A field of an object; nil if there is none, or if the value is no object. Nil removes the field.
  subscript(field: String) -> JSONValue? {
    get { object?[field] }
    set {
      var fields = object ?? [:]
      fields[field] = newValue
      self = .object(fields)
    }
  }

  var string: String? { if case .string(let string) = self { string } else { nil } }
  var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }
  var array: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
  var object: [String: JSONValue]? { if case .object(let fields) = self { fields } else { nil } }

  /// An integer of the range that Matrix allows; nil for any other value.
  var integer: Int64? {
    guard case .integer(let integer) = self, abs(Double(integer)) < 0x1p53 else { return nil }
    return integer
  }

  /// A number, with or without a fraction.
  var double: Double? { if case .number(let number) = self { number } else { integer.map { Double($0) } } }

  /// An array of strings.
  static func strings(_ strings: [String]) -> JSONValue { .array(strings.map { .string($0) }) }

  /// The strings of an array, in order; other elements are left out.
  var strings: [String] { (array ?? []).compactMap(\.string) }

  /// An id of Matrix: the sign of its type, and at most 255 bytes in all. Other texts can't be part of an address.
  func id(_ sign: Character) -> String? {
    string.flatMap { $0.first == sign && $0.count > 1 && $0.utf8.count <= 255 ? $0 : nil }
  }

  /// The id of an event.
  var eventID: ServerMessageID? { id("$").map { ServerMessageID(rawValue: $0) } }

  /// The id of a room.
  var roomID: ConversationRef? { id("!").map { ConversationRef(rawValue: $0) } }

  /// The JSON with sorted keys.
  func encoded() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self)
  }

  /// The JSON as a query parameter.
  func text() throws -> String { String(decoding: try encoded(), as: UTF8.self) }
}

extension JSONValue: ExpressibleByDictionaryLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral
{
  init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(Dictionary(elements) { $1 })
  }
  init(stringLiteral value: String) { self = .string(value) }
  init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  init(booleanLiteral value: Bool) { self = .bool(value) }
  init(integerLiteral value: Int64) { self = .integer(value) }
}
