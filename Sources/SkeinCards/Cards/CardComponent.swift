/// A part of a card, ready to be drawn, with the actions that it offers.
///
/// A component is a value that contains everything it shows, so any card may use the component. Each surface, such as
/// a web page or a terminal, has a protocol with which components draw themselves. A component that does not conform
/// to this protocol is drawn as its ``displayedText``. For a new surface, an app adds a protocol. For a new kind of
/// message, it adds components:
///
/// ```swift
/// struct PollComponent: CardComponent {
///   let id: ComponentID = "poll"
///   let question: String
///   let answers: [String]
///
///   var displayedText: String { question }
///   var actions: [CardAction] { answers.map { CardAction("vote", value: $0, title: "Vote for \($0)") } }
/// }
/// ```
public protocol CardComponent: Sendable {
  /// Unique within the card, and stable between versions of the message.
  var id: ComponentID { get }
  /// Plain text of one or more lines, for surfaces that can't draw the component.
  var displayedText: String { get }
  /// The actions offered to the user; none by default.
  var actions: [CardAction] { get }
  /// The contained components, in order; their actions are offered too. None by default.
  var components: [any CardComponent] { get }
}

extension CardComponent {
  /// No actions.
  public var actions: [CardAction] { [] }
  /// No contained components.
  public var components: [any CardComponent] { [] }
}

/// The id of a component, unique within its card.
public struct ComponentID: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
  /// The id's text.
  public let rawValue: String
  /// Makes an id from a text, for example from a text that a surface has sent.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Makes an id from a literal.
  public init(stringLiteral value: String) { rawValue = value }
}

/// An action that a component offers; surfaces show it as a button, a link or a key.
public struct CardAction: Sendable, Hashable {
  /// The name by which the plugin recognises the action.
  public struct Name: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name.
    public let rawValue: String
    /// Makes a name from a string, for example from a string that a surface has sent.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Makes a name from a literal.
    public init(stringLiteral value: String) { rawValue = value }
  }
  /// The action's name.
  public let name: Name
  /// The argument, such as an answer of a poll; nil if the action has no argument, or if the user types the
  /// argument.
  public let value: String?
  /// The label of a button, also for screen readers.
  public let title: String
  /// Whether the action is available now.
  public let isEnabled: Bool
  /// The page that the action opens without the plugin; nil if the plugin performs the action.
  public let page: CardPage.Name?
  /// Parameters of that page, in addition to the message.
  public let parameters: [String: String]

  /// Makes an action that the plugin performs.
  public init(_ name: Name, value: String? = nil, title: String, isEnabled: Bool = true) {
    self.init(name, value, title, isEnabled, nil, [:])
  }

  /// Makes an action that opens a page: the page is passed to ``MessageCardDelegate/open(_:)``.
  public init(
    _ name: Name, title: String, isEnabled: Bool = true, opening page: CardPage.Name,
    parameters: [String: String] = [:]
  ) {
    self.init(name, nil, title, isEnabled, page, parameters)
  }

  private init(
    _ name: Name, _ value: String?, _ title: String, _ isEnabled: Bool, _ page: CardPage.Name?,
    _ parameters: [String: String]
  ) {
    (self.name, self.value, self.title, self.isEnabled) = (name, value, title, isEnabled)
    (self.page, self.parameters) = (page, parameters)
  }
}
