public import Skein

/// An immutable value with everything a surface needs to draw one message.
///
/// Two cards are equal if they show the same version of the same message in the same revision and look.
public struct MessageCardViewModel: Sendable, Identifiable, Hashable {
  /// The message, with its parsed content.
  public let message: ChatMessage
  /// Increases each time the plugin reloads the card. Also increases when components that were made in the
  /// background are ready.
  public let revision: Int
  /// The components, from top to bottom.
  public let components: [any CardComponent]
  /// The look of the list.
  public let theme: CardTheme
  /// Presentation that is not part of the message's content.
  public let style: CardStyle
  /// The failure that made the card show plain text; nil if there was none.
  public let problem: CardProblem?

  /// The message's local id.
  public var id: LocalMessageID { message.id }
  /// The content's plain text, for previews and for surfaces that can draw none of the components.
  public var displayedText: String { message.content.displayedText }

  /// The name of the sender: that of this account for the sender, or else that in the chat, or else the sender's id.
  public var senderName: String { style.remark ?? style.nickname ?? message.sender.rawValue }

  /// Returns the actions of the component with this id; empty if there is no such component.
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

/// A failure of one plugin. The other plugins of the list keep working.
public struct CardProblem: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of failure; later versions may add codes.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code's name.
    public let rawValue: String
    /// Makes a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Making the components of a card failed.
    public static let noComponents = Code(rawValue: "noComponents")
    /// Making the components of a card took too long. Until the plugin makes a card in time again, each new
    /// card first shows its text. The card is redrawn when its components are ready.
    public static let componentsHang = Code(rawValue: "componentsHang")
    /// An action failed.
    public static let actionFailed = Code(rawValue: "actionFailed")
    /// An action has not ended within the timeout. The action is not cancelled.
    public static let actionHangs = Code(rawValue: "actionHangs")
    /// The component does not offer the requested action with the requested value, or the action is disabled.
    /// Also reported if the action opens no page and the message's kind has no plugin.
    public static let actionUnknown = Code(rawValue: "actionUnknown")
    /// The plugin tried to send more messages than allowed.
    public static let sendsTooMuch = Code(rawValue: "sendsTooMuch")
  }
  /// The kind of failure.
  public let code: Code
  /// The plugin's ``MessageCardPlugin/business``, or the name of the message's kind if the kind has no plugin.
  public let business: String
  /// The message that the failure is about; nil if there is none.
  public let message: LocalMessageID?
  /// One sentence for a developer.
  public let reason: String

  /// Code, business and reason in one line.
  public var description: String { "\(code.rawValue) (\(business)): \(reason)" }
}
