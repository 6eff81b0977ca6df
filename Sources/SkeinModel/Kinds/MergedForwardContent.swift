#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A message that shows other messages as a piece of chat history; ``ChatClient/forward(merged:title:to:)`` makes one.
public struct MergedForwardContent: MessageContent {
  /// `mergedForward`.
  public static let kind: MessageKind = "mergedForward"

  /// One of the messages, as it was when it was forwarded.
  public struct Message: Codable, Hashable, Sendable {
    /// Who sent it.
    public var sender: UserID
    /// When the server took it.
    public var time: Timestamp
    /// Its type name; ``KindRegistry/content(of:)`` reads what it holds.
    public var kind: MessageKind
    /// The content's bytes as their sender froze them.
    public var payload: Data

    /// Describes a message.
    public init(sender: UserID, time: Timestamp, kind: MessageKind, payload: Data) {
      self.sender = sender
      self.time = time
      self.kind = kind
      self.payload = payload
    }
  }

  /// What stands above the messages, such as the name of their chat.
  public var title: String
  /// The messages, in the order in which they are shown.
  public var messages: [Message]

  /// Shows messages under a title.
  public init(title: String, messages: [Message]) {
    self.title = title
    self.messages = messages
  }

  /// The title, and that it stands for chat history.
  public var displayedText: String { "[chat history] \(title)" }
  /// The title.
  public var searchableText: String? { title }
}

extension KindRegistry {
  /// Reads one message of a piece of chat history; a kind that nobody registered is unknown, with its bytes.
  public func content(of message: MergedForwardContent.Message) -> StoredContent {
    decode(message.kind, message.payload)
  }
}
