#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The reference protocol: its messages as Swift types, and the one way they become JSON.
///
/// `Documentation/protocol.md` says which call carries which type. Every time is in milliseconds since 1970, every
/// position counts from 1 in its conversation, and a field that a reader doesn't know is skipped.
public enum Wire {
  /// The WebSocket close code that says: this token is not, or no longer, valid.
  public static let unauthorizedCloseCode: UInt16 = 4401

  /// The JSON of a value, in UTF-8, with sorted keys: equal values give equal bytes.
  ///
  /// Throws what the value's own encoding throws.
  public static func encode(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return [UInt8](try encoder.encode(value))
  }

  /// The value in a JSON text; `DecodingError` if it is no JSON, nests too deep, or lacks a field.
  public static func decode<Value: Decodable>(_ type: Value.Type, from json: [UInt8]) throws -> Value {
    try JSONDecoder().decode(type, from: Data(json))
  }
}
