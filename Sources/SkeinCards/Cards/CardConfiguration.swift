public import Skein

/// The look of a list's cards.
public struct CardTheme: Sendable, Hashable {
  /// A colour that a surface knows by name, so that each has its own for light and dark.
  public struct Color: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name.
    public let rawValue: String
    /// Takes a name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Names a colour in code.
    public init(stringLiteral value: String) { rawValue = value }
  }
  /// The bubble of one's own messages.
  public var ownBubble: Color
  /// The bubble of messages of others.
  public var otherBubble: Color
  /// What links and buttons are drawn in.
  public var accent: Color
  /// The font of texts, by a name that the surface knows; nil is the surface's own.
  public var font: String?

  /// Describes a look.
  public init(
    ownBubble: Color = "own", otherBubble: Color = "other", accent: Color = "accent", font: String? = nil
  ) {
    self.ownBubble = ownBubble
    self.otherBubble = otherBubble
    self.accent = accent
    self.font = font
  }
}

/// What a list shows of one message beside what the message says.
public struct CardStyle: Sendable, Hashable {
  /// What its sender is called in the chat; nil is the user's own name on the server.
  public var nickname: String?
  /// What this account calls its sender.
  public var remark: String?
  /// The picture of its sender, by a name that the surface knows.
  public var avatar: String?
  /// Whether its pictures are blurred until somebody asks for them.
  public var isBlurred: Bool

  /// Describes what is shown of a message.
  public init(
    nickname: String? = nil, remark: String? = nil, avatar: String? = nil, isBlurred: Bool = false
  ) {
    self.nickname = nickname
    self.remark = remark
    self.avatar = avatar
    self.isBlurred = isBlurred
  }
}

/// What a list gives its cards, and does for them.
///
/// It is asked from whatever isolation makes a card, and answers at once.
public protocol MessageCardDelegate: AnyObject, Sendable {
  /// The look of the list's cards. The surface's own by default.
  var theme: CardTheme { get }
  /// What is shown of a message beside what it says. Nothing by default.
  func style(of message: ChatMessage) -> CardStyle
  /// Opens a page that a card leads to, or a plugin asks for. Nothing by default.
  func open(_ page: CardPage)
}

extension MessageCardDelegate {
  /// The surface's own look.
  public var theme: CardTheme { CardTheme() }
  /// Nothing beside what it says.
  public func style(of message: ChatMessage) -> CardStyle { CardStyle() }
  /// Opens nothing.
  public func open(_ page: CardPage) {}
}

/// A page that a card or a plugin has its list's delegate open.
public struct CardPage: Sendable, Hashable {
  /// Names a page in the words of its business: `"poll"`, `"invitation"`.
  public struct Name: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name.
    public let rawValue: String
    /// Takes a name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Names a page in code.
    public init(stringLiteral value: String) { rawValue = value }
  }
  /// What page it is.
  public let name: Name
  /// The message that it is about.
  public let message: LocalMessageID
  /// What the page needs to know beside the message.
  public let parameters: [String: String]

  /// Names a page.
  public init(_ name: Name, about message: LocalMessageID, parameters: [String: String] = [:]) {
    self.name = name
    self.message = message
    self.parameters = parameters
  }
}
