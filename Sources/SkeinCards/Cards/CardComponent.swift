/// A part of a card: what one piece of a message says, ready to be drawn, and what can be done with it.
///
/// It is a value that holds all it shows, so that any card may use it: a quoted text above a picture is the component of a text.
/// A surface is a protocol of its own that components conform to, with the way in which they are drawn there; a component
/// that does not conform is drawn as its ``displayedText``. An app adds a surface by adding a protocol, and kinds of its
/// own by adding components:
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
  /// Names it among the components of its card; the same from one state of the message to the next.
  var id: ComponentID { get }
  /// One line of plain text for surfaces that can't draw it.
  var displayedText: String { get }
  /// What a person can do with it. Nothing by default.
  var actions: [CardAction] { get }
  /// What it contains, in order; surfaces find actions in there. Nothing by default.
  var components: [any CardComponent] { get }
}

extension CardComponent {
  /// Nothing.
  public var actions: [CardAction] { [] }
  /// Nothing.
  public var components: [any CardComponent] { [] }
}

/// Names a component within its card.
public struct ComponentID: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
  /// The name.
  public let rawValue: String
  /// Takes a name from a surface.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Names a component in code.
  public init(stringLiteral value: String) { rawValue = value }
}

/// Something that a person can do with a component: surfaces make a button, a link or a key of it.
public struct CardAction: Sendable, Hashable {
  /// Names what is done, for the plugin.
  public struct Name: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name.
    public let rawValue: String
    /// Takes a name from a surface.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Names an action in code.
    public init(stringLiteral value: String) { rawValue = value }
  }
  /// What is done.
  public let name: Name
  /// What it is done with, as the answer of a poll; nil where the name says all, or where a person types it.
  public let value: String?
  /// What a button says, and a screen reader.
  public let title: String
  /// Whether it can be done now.
  public let isEnabled: Bool
  /// The page that it leads to, for which no plugin is asked; nil where the plugin does something.
  public let page: CardPage.Name?
  /// What that page needs to know beside the message.
  public let parameters: [String: String]

  /// Describes what can be done.
  public init(_ name: Name, value: String? = nil, title: String, isEnabled: Bool = true) {
    self.init(name, value, title, isEnabled, nil, [:])
  }

  /// Leads to a page, which the list's delegate opens.
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
