/// A message's type name on the wire: `"text"`, `"image"`, `"com.example.poll"`.
public struct MessageKind: RawRepresentable, Hashable, Sendable, Codable,
  ExpressibleByStringLiteral
{
  /// The name; kinds of one's own take a reverse domain name.
  public let rawValue: String
  /// Takes a name from the wire.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Names a kind in code.
  public init(stringLiteral value: String) { rawValue = value }
}

/// The payload of one kind of message.
///
/// A kind is one struct and one line that registers it; sending, retrying, storing and receiving need nothing else:
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
  /// The name on the wire; it never changes once messages exist.
  static var kind: MessageKind { get }
  /// Where attachments stand in the content; they are uploaded before the message is posted. None by default.
  static var attachments: [AttachmentPath<Self>] { get }
  /// Whether an unread message of this kind raises the conversation's unread count. True by default.
  static var isCountable: Bool { get }
  /// Whether its attachments are fetched unasked, for people who open a message to have them at once. False by default.
  ///
  /// They are fetched once, in the process that has the connection, when sync or a push brings a message that somebody
  /// else sent, that counts and is unread; no file beyond ``ChatOptions/largestFetchOnReceipt``, and of very many the
  /// newest. All others, and what could not be fetched then, are fetched when ``ChatClient/file(for:)`` asks.
  static var isFetchedOnReceipt: Bool { get }
  /// Whom a message of this content calls, so that they hear of it. Nobody by default.
  var mentioned: Mentions { get }
  /// What a search finds messages of this content by; nil, as by default, where there is nothing to find.
  var searchableText: String? { get }
  /// One line of plain text for previews, alerts and lists that can't draw the kind; the kind's name by default.
  var displayedText: String { get }
}

extension MessageContent {
  /// No attachments.
  public static var attachments: [AttachmentPath<Self>] { [] }
  /// Counted.
  public static var isCountable: Bool { true }
  /// Fetched when asked for.
  public static var isFetchedOnReceipt: Bool { false }
  /// Nobody.
  public var mentioned: Mentions { .nobody }
  /// Nothing to find.
  public var searchableText: String? { nil }
  /// The kind's name in brackets.
  public var displayedText: String { "[\(Self.kind.rawValue)]" }

  /// Every attachment, path by path in the order of the list.
  package var allAttachments: [MessageAttachment] { Self.attachments.flatMap { $0.get(self) } }

  /// Replaces every attachment, in the order of ``allAttachments``.
  package mutating func replaceAttachments(_ replacements: [MessageAttachment]) {
    var rest = replacements[...]
    for path in Self.attachments {
      let count = path.get(self).count
      path.set(&self, Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
  }
}
