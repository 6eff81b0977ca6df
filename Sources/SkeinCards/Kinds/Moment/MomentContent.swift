public import Skein

/// A message that shows a post from elsewhere in the app.
public struct MomentContent: MessageContent {
  /// `moment`.
  public static let kind: MessageKind = "moment"
  /// The picture.
  public static let attachments = [AttachmentPath(\MomentContent.picture)]
  /// The app's identifier of a moment.
  public struct ID: RawRepresentable, Hashable, Sendable, Codable {
    /// The identifier.
    public let rawValue: String
    /// Makes an identifier from a string.
    public init(rawValue: String) { self.rawValue = rawValue }
  }
  /// The moment's identifier.
  public var moment: ID
  /// The user who posted the moment.
  public var author: UserID
  /// The post's text.
  public var text: String
  /// The post's picture; nil if there is none.
  public var picture: MessageAttachment?

  /// Makes a message that shows a moment.
  public init(_ moment: ID, by author: UserID, text: String, picture: MessageAttachment? = nil) {
    (self.moment, self.author, self.text, self.picture) = (moment, author, text, picture)
  }

  /// Author and text, marked as a moment.
  public var displayedText: String { "[moment] \(author): \(text)" }
  /// The post's text.
  public var searchableText: String? { text }
}

/// A like of a moment. Likes are messages, so they are queued like other messages, and any server delivers them.
public struct MomentLikeContent: MessageContent {
  /// `momentLike`.
  public static let kind: MessageKind = "momentLike"
  /// Likes are not counted as unread.
  public static let isCountable = false
  /// The liked moment.
  public var moment: MomentContent.ID

  /// Makes a like.
  public init(_ moment: MomentContent.ID) { self.moment = moment }

  /// A fixed text.
  public var displayedText: String { "♥ likes a moment" }
}

/// A comment on a moment.
public struct MomentCommentContent: MessageContent {
  /// `momentComment`.
  public static let kind: MessageKind = "momentComment"
  /// The moment at the time of the comment, without its picture.
  public var moment: MomentContent
  /// The comment.
  public var text: TextContent

  /// Makes a comment on a moment.
  public init(_ text: TextContent, to moment: MomentContent) {
    self.text = text
    self.moment = MomentContent(moment.moment, by: moment.author, text: moment.text)
  }

  /// The comment's text.
  public var displayedText: String { text.displayedText }
  /// The comment's text.
  public var searchableText: String? { text.searchableText }
  /// The users whom the comment mentions.
  public var mentioned: Mentions { text.mentioned }
}
