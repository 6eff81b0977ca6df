public import Skein

/// A message that shows something that somebody has posted elsewhere in the app.
public struct MomentContent: MessageContent {
  /// `moment`.
  public static let kind: MessageKind = "moment"
  /// The picture.
  public static let attachments = [AttachmentPath(\MomentContent.picture)]
  /// Names a moment for the app whose it is.
  public struct ID: RawRepresentable, Hashable, Sendable, Codable {
    /// The name.
    public let rawValue: String
    /// Takes a name.
    public init(rawValue: String) { self.rawValue = rawValue }
  }
  /// Which moment it is.
  public var moment: ID
  /// Who posted it.
  public var author: UserID
  /// What it says.
  public var text: String
  /// What it shows; nil where it says all.
  public var picture: MessageAttachment?

  /// Shows a moment.
  public init(_ moment: ID, by author: UserID, text: String, picture: MessageAttachment? = nil) {
    (self.moment, self.author, self.text, self.picture) = (moment, author, text, picture)
  }

  /// Who posted what.
  public var displayedText: String { "[moment] \(author): \(text)" }
  /// What it says.
  public var searchableText: String? { text }
}

/// Somebody's like of a moment: a message, so that it waits and arrives like all others, on any server.
public struct MomentLikeContent: MessageContent {
  /// `momentLike`.
  public static let kind: MessageKind = "momentLike"
  /// An unread like is no unread message.
  public static let isCountable = false
  /// What is liked.
  public var moment: MomentContent.ID

  /// Likes a moment.
  public init(_ moment: MomentContent.ID) { self.moment = moment }

  /// That something is liked.
  public var displayedText: String { "♥ likes a moment" }
}

/// What somebody says to a moment.
public struct MomentCommentContent: MessageContent {
  /// `momentComment`.
  public static let kind: MessageKind = "momentComment"
  /// The moment, as it was when it was commented; without its picture.
  public var moment: MomentContent
  /// What is said.
  public var text: TextContent

  /// Says something to a moment.
  public init(_ text: TextContent, to moment: MomentContent) {
    self.text = text
    self.moment = MomentContent(moment.moment, by: moment.author, text: moment.text)
  }

  /// What is said.
  public var displayedText: String { text.displayedText }
  /// What is said.
  public var searchableText: String? { text.searchableText }
  /// Whom the text calls.
  public var mentioned: Mentions { text.mentioned }
}
