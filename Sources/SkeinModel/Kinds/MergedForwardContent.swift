#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A message that contains other messages as chat history; `ChatClient.forward(merged:title:to:)` creates such a
/// message.
public struct MergedForwardContent: MessageContent {
  /// `mergedForward`.
  public static let kind: MessageKind = "mergedForward"

  /// One of the messages, as it was when it was forwarded.
  public struct Message: Hashable, Sendable {
    /// The sender.
    public var sender: UserID
    /// The time at which the server stored the message.
    public var time: Timestamp
    /// The message's type name. ``KindRegistry/content(of:)`` decodes the content.
    public var kind: MessageKind
    /// The content, as encoded by the sender.
    public var payload: Data

    /// Describes a message.
    public init(sender: UserID, time: Timestamp, kind: MessageKind, payload: Data) {
      self.sender = sender
      self.time = time
      self.kind = kind
      self.payload = payload
    }
  }

  /// The title shown above the messages, such as the name of their chat.
  public var title: String
  /// The messages, in display order.
  public var messages: [Message]

  /// Creates a message with a title and messages.
  public init(title: String, messages: [Message]) {
    self.title = title
    self.messages = messages
  }

  /// The title, marked as chat history.
  public var displayedText: String { "[chat history] \(title)" }
  /// The title.
  public var searchableText: String? { title }
}

/// The payload is encoded as text under the key `content`, so that a server finds the ids of its files in it and gives
/// the recipients access to them. A payload that is not UTF-8, and every payload of an earlier version, is encoded in
/// base64 under the key `payload`.
extension MergedForwardContent.Message: Codable {
  private enum Key: String, CodingKey { case sender, time, kind, content, payload }

  /// Decodes a message.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    sender = try values.decode(UserID.self, forKey: .sender)
    time = try values.decode(Timestamp.self, forKey: .time)
    kind = try values.decode(MessageKind.self, forKey: .kind)
    if let text = try values.decodeIfPresent(String.self, forKey: .content) {
      payload = Data(text.utf8)
    } else {
      payload = try values.decode(Data.self, forKey: .payload)
    }
  }

  /// Encodes a message.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(sender, forKey: .sender)
    try values.encode(time, forKey: .time)
    try values.encode(kind, forKey: .kind)
    if let text = String(validating: payload, as: UTF8.self) {
      try values.encode(text, forKey: .content)
    } else {
      try values.encode(payload, forKey: .payload)
    }
  }
}

extension KindRegistry {
  /// Decodes one message of a chat history; if that fails, the content is unknown and keeps its bytes.
  public func content(of message: MergedForwardContent.Message) -> StoredContent {
    decode(message.kind, message.payload)
  }
}
