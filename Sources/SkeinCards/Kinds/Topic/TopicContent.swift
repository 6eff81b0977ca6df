public import Skein

/// A message that points to something that people discuss elsewhere in the app.
public struct TopicContent: MessageContent {
  /// `topic`.
  public static let kind: MessageKind = "topic"
  /// Names a topic for the app whose it is.
  public struct ID: RawRepresentable, Hashable, Sendable, Codable {
    /// The name.
    public let rawValue: String
    /// Takes a name.
    public init(rawValue: String) { self.rawValue = rawValue }
  }
  /// Which topic it is.
  public var topic: ID
  /// What it is about.
  public var title: String
  /// How it begins, where its sender says so.
  public var summary: String?

  /// Points to a topic.
  public init(_ topic: ID, title: String, summary: String? = nil) {
    (self.topic, self.title, self.summary) = (topic, title, summary)
  }

  /// What it is about.
  public var displayedText: String { "# \(title)" }
  /// What it is about, and how it begins.
  public var searchableText: String? { [title, summary].compactMap(\.self).joined(separator: " ") }
}
