public import Skein

/// An immutable value with everything a surface needs to draw one message.
///
/// Two cards are equal if they show the same version of the same message in the same revision and look.
public struct MessageCardViewModel: Sendable, Identifiable, Hashable {
  /// The message, with its parsed content.
  public let message: ChatMessage
  /// How often the plugin has reloaded the card.
  public let revision: Int
  /// The components, from top to bottom.
  public let components: [any CardComponent]
  /// The look of the list.
  public let theme: CardTheme
  /// Presentation that is not part of the message's content.
  public let style: CardStyle
  /// The failure because of which the card shows plain text; nil if there was none.
  public let problem: CardProblem?

  /// The message's local id.
  public var id: LocalMessageID { message.id }
  /// One line of plain text, for previews and for surfaces that can draw none of the components.
  public var displayedText: String { message.content.displayedText }

  /// The actions of the component with this name; empty if there is no such component.
  public func actions(of component: ComponentID) -> [CardAction] {
    var left = components
    while let next = left.popLast() {
      if next.id == component { return next.actions }
      left += next.components
    }
    return []
  }

  /// Compares message, version, revision and look, not the components.
  public static func == (left: Self, right: Self) -> Bool {
    left.id == right.id && left.message.version == right.message.version && left.revision == right.revision
      && left.theme == right.theme && left.style == right.style
  }

  /// Hashes the message's id, its version and the revision.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(message.version)
    hasher.combine(revision)
  }
}

/// A failure of one plugin. The rest of the list keeps working.
public struct CardProblem: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of failure; later versions may add codes.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code's name.
    public let rawValue: String
    /// Makes a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Making the components of a card failed.
    public static let noComponents = Code(rawValue: "noComponents")
    /// Making the components of a card took too long; the plugin's cards show their text until one is made in
    /// time.
    public static let componentsHang = Code(rawValue: "componentsHang")
    /// An action failed.
    public static let actionFailed = Code(rawValue: "actionFailed")
    /// An action has not ended within the timeout; it is not cancelled.
    public static let actionHangs = Code(rawValue: "actionHangs")
    /// The requested action is not offered by the card's components.
    public static let actionUnknown = Code(rawValue: "actionUnknown")
    /// The plugin tried to send more messages than allowed.
    public static let sendsTooMuch = Code(rawValue: "sendsTooMuch")
  }
  /// The kind of failure.
  public let code: Code
  /// The plugin's ``MessageCardPlugin/business``, or the kind if it has no plugin.
  public let business: String
  /// The message concerned; nil if there is none.
  public let message: LocalMessageID?
  /// One sentence for a developer.
  public let reason: String

  /// Code, business and reason in one line.
  public var description: String { "\(code.rawValue) (\(business)): \(reason)" }
}
