import Foundation
import SkeinModel

/// The fields that Skein adds to the content of its messages, under one key of their own.
///
/// Other clients show the fallback beside these fields: the body, or the picture.
struct SkeinFields: Sendable, Hashable {
  static let key = "io.skein.message"

  var id: MessageID?
  var kind: MessageKind
  /// The bytes of the content; nil if they follow from the body, as those of most texts.
  var payload: Data?
  var parameters: [String: String]
}

extension SkeinFields {
  /// Returns nil if the content has no such fields, or malformed fields.
  init?(_ content: JSONValue) {
    guard let fields = content[Self.key], let kind = fields["kind"]?.string else { return nil }
    self.kind = MessageKind(rawValue: kind)
    id = fields["id"]?.string.map { MessageID(rawValue: $0) }
    if let bytes = fields["bytes"] {
      guard let base64 = bytes.string, let data = Data(base64Encoded: base64) else { return nil }
      payload = data
    } else {
      payload = fields["payload"]?.string.map { Data($0.utf8) }
    }
    parameters = (fields["parameters"]?.object ?? [:]).compactMapValues(\.string)
  }

  var json: JSONValue {
    var fields: JSONValue = ["kind": .string(kind.rawValue)]
    fields["id"] = id.map { .string($0.rawValue) }
    if let payload {
      // Databases of some homeservers can't store U+0000 in a text.
      if let text = String(validating: payload, as: UTF8.self), !text.unicodeScalars.contains("\0") {
        fields["payload"] = .string(text)
      } else {
        fields["bytes"] = .string(payload.base64EncodedString())
      }
    }
    if !parameters.isEmpty { fields["parameters"] = .object(parameters.mapValues { .string($0) }) }
    return fields
  }
}
