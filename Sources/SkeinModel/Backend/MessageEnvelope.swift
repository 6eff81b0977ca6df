#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A message as one string, for a server that stores only a text for each message.
///
/// 1. If the server stores the text unchanged, decoding the text returns kind, payload, parameters and id byte for
///    byte.
/// 2. Equal messages give equal texts.
/// 3. A text that is not an envelope, such as a text from another client, is decoded as a plain text message.
///
/// ```swift
/// try await server.post(MessageEnvelope(message).text)
/// let envelope = MessageEnvelope(text: post.text)
/// ```
///
/// The text is a JSON object. A client that can't decode envelopes shows the JSON, so every client of the server should
/// decode envelopes.
public struct MessageEnvelope: Sendable, Hashable {
  /// The id that the sender's client gave the message; nil if the id is unknown, as in a text from another
  /// client.
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

  /// Creates the envelope of a message to post.
  public init(_ message: OutgoingMessage) {
    self.init(
      id: message.id, kind: message.kind, payload: message.payload, parameters: message.parameters)
  }

  /// Decodes a text from the server. A text that is not an envelope becomes a ``TextContent``.
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
    /// Distinguishes an envelope from other JSON; its value is the version of the format.
    let skein: Int
    let id: String?
    let kind: String
    /// The payload, if it is UTF-8.
    let content: String?
    /// The payload in Base64, if it is not UTF-8.
    let bytes: Data?
    let parameters: [String: String]?

    var payload: Data? { content.map { Data($0.utf8) } ?? bytes }
  }
}
