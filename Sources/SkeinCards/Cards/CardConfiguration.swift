public import Skein

/// The look of a list's cards.
public struct CardTheme: Sendable, Hashable {
  /// A named colour; each surface maps it to its own values for light and dark.
  public struct Color: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name.
    public let rawValue: String
    /// Makes a colour from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Makes a colour from a literal.
    public init(stringLiteral value: String) { rawValue = value }
  }
  /// The bubble of own messages.
  public var ownBubble: Color
  /// The bubble of messages of others.
  public var otherBubble: Color
  /// The colour of links and buttons.
  public var accent: Color
  /// The font's name, as the surface knows it; nil for the surface's default.
  public var font: String?

  /// Makes a theme; the defaults are the surface's own look.
  public init(
    ownBubble: Color = "own", otherBubble: Color = "other", accent: Color = "accent", font: String? = nil
  ) {
    self.ownBubble = ownBubble
    self.otherBubble = otherBubble
    self.accent = accent
    self.font = font
  }
}

/// Details for drawing one message that come from the app, not from the message's content.
public struct CardStyle: Sendable, Hashable {
  /// The sender's name in this chat; nil if there is none.
  public var nickname: String?
  /// The name that this account gave the sender; nil if there is none.
  public var remark: String?
  /// The name of the sender's picture, as the surface knows it; nil if there is none.
  public var avatar: String?
  /// Whether pictures are blurred until the user reveals them.
  public var isBlurred: Bool

  /// Makes a style; by default nothing is added.
  public init(
    nickname: String? = nil, remark: String? = nil, avatar: String? = nil, isBlurred: Bool = false
  ) {
    self.nickname = nickname
    self.remark = remark
    self.avatar = avatar
    self.isBlurred = isBlurred
  }
}

extension CardStyle {
  /// Names the sender of a message as the one-to-one chat with the sender is named.
  package init(namingSenderOf message: ChatMessage, like client: ChatClient) {
    let chat = client.conversations.conversations.first { $0.type == .direct && $0.peer == message.sender }
    self.init(nickname: chat?.title)
  }
}

/// Gives a list's cards their look, and opens pages for the cards.
///
/// All members are called synchronously and from any isolation, so each must return at once.
public protocol MessageCardDelegate: AnyObject, Sendable {
  /// The look of the list's cards; by default the surface's own look.
  var theme: CardTheme { get }
  /// Returns the style of one message; by default an empty style.
  func style(of message: ChatMessage) -> CardStyle
  /// Opens a page for a card or a plugin; does nothing by default.
  func open(_ page: CardPage)
}

extension MessageCardDelegate {
  /// The surface's own look.
  public var theme: CardTheme { CardTheme() }
  /// An empty style.
  public func style(of message: ChatMessage) -> CardStyle { CardStyle() }
  /// Does nothing.
  public func open(_ page: CardPage) {}
}

/// A page of the app that the ``MessageCardDelegate`` opens.
public struct CardPage: Sendable, Hashable {
  /// The name of a page, for example `"poll"` or `"invitation"`.
  public struct Name: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name.
    public let rawValue: String
    /// Makes a page name from a string.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Makes a page name from a literal.
    public init(stringLiteral value: String) { rawValue = value }
  }
  /// The page's name.
  public let name: Name
  /// The message that the page is about.
  public let message: LocalMessageID
  /// Parameters of the page, in addition to the message.
  public let parameters: [String: String]

  /// Makes a page about a message.
  public init(_ name: Name, about message: LocalMessageID, parameters: [String: String] = [:]) {
    self.name = name
    self.message = message
    self.parameters = parameters
  }
}
