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
  public struct Message: Codable, Hashable, Sendable {
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

extension KindRegistry {
  /// Decodes one message of a chat history; if that fails, the content is unknown and keeps its bytes.
  public func content(of message: MergedForwardContent.Message) -> StoredContent {
    decode(message.kind, message.payload)
  }
}
