/// A message's type name on the wire: `"text"`, `"image"`, `"com.example.poll"`.
public struct MessageKind: RawRepresentable, Hashable, Sendable, Codable,
  ExpressibleByStringLiteral
{
  /// The name; an app's own kinds use a reverse domain name.
  public let rawValue: String
  /// Wraps a name from the wire.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Creates a kind from a string literal.
  public init(stringLiteral value: String) { rawValue = value }
}

/// The payload of one kind of message.
///
/// A new kind needs one struct, and one line that registers the struct. The engine then sends, retries, stores and
/// receives messages of the kind:
///
/// ```swift
/// struct Poll: MessageContent {
///   static let kind: MessageKind = "com.example.poll"
///   var question: String
///   var answers: [String]
/// }
///
/// kinds.register(Poll.self)
/// ```
public protocol MessageContent: Codable, Hashable, Sendable {
  /// The name on the wire; it must not change once messages exist.
  static var kind: MessageKind { get }
  /// The properties with attachments, which are uploaded before the message is posted. None by default.
  static var attachments: [AttachmentPath<Self>] { get }
  /// Whether an unread message of this kind raises the conversation's unread count. True by default.
  static var isCountable: Bool { get }
  /// Whether attachments are fetched before anybody opens the message. False by default.
  ///
  /// The attachments are fetched when sync or a push delivers an unread countable message from another user;
  /// the process that has the connection tries this once. Files larger than
  /// `ChatOptions.largestFetchOnReceipt` are not fetched. If very many files are waiting, only the newest
  /// files are fetched. A file that was not fetched on receipt is fetched when `ChatClient.file(for:)`
  /// requests it.
  static var isFetchedOnReceipt: Bool { get }
  /// The users that a message with this content mentions. Nobody by default.
  var mentioned: Mentions { get }
  /// The text by which a search finds the message; nil excludes the message from search. Nil by default.
  var searchableText: String? { get }
  /// The content as plain text, for previews, alerts and lists that can't draw the kind. The kind's name in brackets
  /// by default.
  var displayedText: String { get }
}

extension MessageContent {
  /// No attachments.
  public static var attachments: [AttachmentPath<Self>] { [] }
  /// True.
  public static var isCountable: Bool { true }
  /// False.
  public static var isFetchedOnReceipt: Bool { false }
  /// Nobody.
  public var mentioned: Mentions { .nobody }
  /// Nil.
  public var searchableText: String? { nil }
  /// The kind's name in brackets.
  public var displayedText: String { "[\(Self.kind.rawValue)]" }

  /// All attachments, in the order of ``attachments``.
  package var allAttachments: [MessageAttachment] { Self.attachments.flatMap { $0.get(self) } }

  /// Replaces all attachments.
  ///
  /// - Parameter replacements: one attachment for each of ``allAttachments``, in the same order.
  package mutating func replaceAttachments(_ replacements: [MessageAttachment]) {
    var rest = replacements[...]
    for path in Self.attachments {
      let count = path.get(self).count
      path.set(&self, Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
  }
}
