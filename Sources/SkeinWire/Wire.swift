#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The reference protocol: its messages as Swift types, and their JSON encoding.
///
/// `Documentation/protocol.md` lists the types of each call. Times are in milliseconds since 1970, positions
/// count from 1 in their conversation, and readers ignore unknown fields. The asker is the user who makes a
/// call.
public enum Wire {
  /// The WebSocket close code for an invalid or expired token.
  public static let unauthorizedCloseCode: UInt16 = 4401

  /// The JSON of a value, in UTF-8, with sorted keys: equal values give equal bytes.
  ///
  /// Throws the errors of the value's own encoding.
  public static func encode(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return [UInt8](try encoder.encode(value))
  }

  /// The value in a JSON text; throws a `DecodingError` if the text is not JSON, is nested too deep, or lacks a field.
  public static func decode<Value: Decodable>(_ type: Value.Type, from json: [UInt8]) throws -> Value {
    try JSONDecoder().decode(type, from: Data(json))
  }
}
