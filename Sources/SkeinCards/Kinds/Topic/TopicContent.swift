public import Skein

/// A message that refers to a discussion elsewhere in the app.
public struct TopicContent: MessageContent {
  /// `topic`.
  public static let kind: MessageKind = "topic"
  /// The app's identifier of a topic.
  public struct ID: RawRepresentable, Hashable, Sendable, Codable {
    /// The identifier.
    public let rawValue: String
    /// Makes an identifier from a string.
    public init(rawValue: String) { self.rawValue = rawValue }
  }
  /// The topic's identifier.
  public var topic: ID
  /// The topic's subject.
  public var title: String
  /// The beginning of the discussion; nil if not given.
  public var summary: String?

  /// Makes a reference to a topic.
  public init(_ topic: ID, title: String, summary: String? = nil) {
    (self.topic, self.title, self.summary) = (topic, title, summary)
  }

  /// The title, marked as a topic.
  public var displayedText: String { "# \(title)" }
  /// Title and summary.
  public var searchableText: String? { [title, summary].compactMap(\.self).joined(separator: " ") }
}
