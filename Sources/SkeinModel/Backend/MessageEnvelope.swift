#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A message as one string, for a server that stores nothing of a message but a text.
///
/// 1. Kind, payload, parameters and id come back as they were, byte for byte, if the server keeps the text as it is.
/// 2. The same message gives the same text.
/// 3. A text of another client, which is no envelope, is read as a message of plain text.
///
/// ```swift
/// try await server.post(MessageEnvelope(message).text)
/// let envelope = MessageEnvelope(text: post.text)
/// ```
///
/// The text is a JSON object. Other clients of such a server show it as it is, so it suits servers whose clients all read
/// envelopes.
public struct MessageEnvelope: Sendable, Hashable {
  /// The id that the sender's client gave the message; nil where it is not known, as in a text of another client.
  public var id: MessageID?
  /// The message's type name.
  public var kind: MessageKind
  /// The bytes of the content.
  public var payload: Data
  /// The parameters beside the content.
  public var parameters: [String: String]

  /// Describes a message.
  public init(id: MessageID? = nil, kind: MessageKind, payload: Data, parameters: [String: String] = [:]) {
    self.id = id
    self.kind = kind
    self.payload = payload
    self.parameters = parameters
  }

  /// Takes over a message that is to be posted.
  public init(_ message: OutgoingMessage) {
    self.init(
      id: message.id, kind: message.kind, payload: message.payload, parameters: message.parameters)
  }

  /// Reads a text of the server. One that is no envelope becomes a ``TextContent``.
  public init(text: String) {
    if let fields = try? JSONDecoder().decode(Fields.self, from: Data(text.utf8)),
      fields.skein == Fields.version, let payload = fields.payload
    {
      self.init(
        id: fields.id.map { MessageID(rawValue: $0) }, kind: MessageKind(rawValue: fields.kind),
        payload: payload, parameters: fields.parameters ?? [:])
    } else {
      let payload = try? KindRegistry.encode(TextContent(text))
      self.init(kind: TextContent.kind, payload: payload ?? Data())
    }
  }

  /// The text to post: JSON with sorted keys.
  public var text: String {
    get throws {
      let content = String(validating: payload, as: UTF8.self)
      let fields = Fields(
        skein: Fields.version, id: id?.rawValue, kind: kind.rawValue, content: content,
        bytes: content == nil ? payload : nil, parameters: parameters.isEmpty ? nil : parameters)
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return String(decoding: try encoder.encode(fields), as: UTF8.self)
    }
  }

  private struct Fields: Codable {
    static let version = 1
    /// Tells an envelope from any other JSON, and its format.
    let skein: Int
    let id: String?
    let kind: String
    /// The payload where it is UTF-8.
    let content: String?
    /// The payload where it is not, in Base64.
    let bytes: Data?
    let parameters: [String: String]?

    var payload: Data? { content.map { Data($0.utf8) } ?? bytes }
  }
}
