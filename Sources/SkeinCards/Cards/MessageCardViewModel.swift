public import Skein

/// All that a surface needs to draw one message: a value that never changes; the factory makes a new one instead.
///
/// It is one for each version of its message and revision of its plugin: where both are the same, so is the card.
public struct MessageCardViewModel: Sendable, Identifiable, Hashable {
  /// The message, with its parsed content.
  public let message: ChatMessage
  /// How often its plugin has had it made anew.
  public let revision: Int
  /// What it is made of, from the top down.
  public let components: [any CardComponent]
  /// The look of the list.
  public let theme: CardTheme
  /// What is shown beside what the message says.
  public let style: CardStyle
  /// Why it shows no more than its text, where its business failed at it; nil where it did not.
  public let problem: CardProblem?

  /// The message's row.
  public var id: LocalMessageID { message.id }
  /// One line of plain text for previews, and for surfaces that can draw none of its components.
  public var displayedText: String { message.content.displayedText }

  /// What its component of this name can have done to it; empty where there is no such component.
  public func actions(of component: ComponentID) -> [CardAction] {
    var left = components
    while let next = left.popLast() {
      if next.id == component { return next.actions }
      left += next.components
    }
    return []
  }

  /// Cards of the same state of the same message are equal.
  public static func == (left: Self, right: Self) -> Bool {
    left.id == right.id && left.message.version == right.message.version && left.revision == right.revision
      && left.theme == right.theme && left.style == right.style
  }

  /// Hashes the message's name and state.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(message.version)
    hasher.combine(revision)
  }
}

/// What a business did wrong, for whoever looks for the reason: the list goes on without it.
public struct CardProblem: Error, Sendable, Hashable, CustomStringConvertible {
  /// What kind of problem it is; more codes may come.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code's name.
    public let rawValue: String
    /// Takes a name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// It could not say what a card is made of.
    public static let noComponents = Code(rawValue: "noComponents")
    /// It has not said in time what a card is made of; its cards show their text until it does.
    public static let componentsHang = Code(rawValue: "componentsHang")
    /// What somebody did with a card came to nothing.
    public static let actionFailed = Code(rawValue: "actionFailed")
    /// What somebody did with a card has not ended for a long time.
    public static let actionHangs = Code(rawValue: "actionHangs")
    /// Somebody did with a card what its components do not offer.
    public static let actionUnknown = Code(rawValue: "actionUnknown")
    /// It wanted to send more than a business may.
    public static let sendsTooMuch = Code(rawValue: "sendsTooMuch")
  }
  /// What kind of problem it is.
  public let code: Code
  /// Whose it is.
  public let business: String
  /// The message that it happened at; nil where it is about none.
  public let message: LocalMessageID?
  /// One sentence for a developer.
  public let reason: String

  /// Code, business and sentence.
  public var description: String { "\(code.rawValue) (\(business)): \(reason)" }
}
