#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The reference protocol: its messages as Swift types, and their JSON encoding.
///
/// `Documentation/protocol.md` lists the types of each call. Times are in milliseconds since 1970. Positions count
/// from 1 in their conversation. Clients and servers ignore unknown fields. The *asker* is the user who makes a call.
public enum Wire {
  /// The WebSocket close code for an invalid or expired token.
  public static let unauthorizedCloseCode: UInt16 = 4401

  /// Encodes a value as JSON in UTF-8, with sorted keys: equal values give equal bytes.
  ///
  /// - Throws: the errors of the value's own encoding.
  public static func encode(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return [UInt8](try encoder.encode(value))
  }

  /// Decodes a value from a JSON text; throws a `DecodingError` if the text is not JSON, is nested too
  /// deeply, lacks a required field, or has a field of another type.
  public static func decode<Value: Decodable>(_ type: Value.Type, from json: [UInt8]) throws -> Value {
    try JSONDecoder().decode(type, from: Data(json))
  }
}
