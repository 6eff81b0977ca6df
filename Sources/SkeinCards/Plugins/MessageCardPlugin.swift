public import Skein

/// Draws the cards of one or more kinds of message and performs their actions.
///
/// Each list has one instance of the plugin, made when the first message of the plugin's kinds is shown. The
/// instance uses the list through its ``MessageCardContext`` only. If the instance fails or is slow, its cards show
/// their text.
///
/// ```swift
/// final class PollPlugin: MessageCardPlugin {
///   static let business = "polls"
///   static let kinds: [MessageKind] = [Poll.kind]
///   private let context: MessageCardContext
///   private let votes = Mutex<[MessageID: [String: Int]]>([:])
///
///   init(_ context: MessageCardContext) { self.context = context }
///
///   func components(of message: ChatMessage) throws -> [any CardComponent] {
///     guard let poll = message.content.as(Poll.self) else { return [] }
///     return [PollComponent(poll, votes: votes.withLock { $0[message.messageID] ?? [:] })]
///   }
///
///   func perform(_ action: CardAction.Name, _ value: String?, on message: ChatMessage) async throws {
///     guard action == "vote", let value else { return }
///     let counts = try await server.vote(value, in: message.messageID)
///     votes.withLock { $0[message.messageID] = counts }
///     context.reload([message.id])
///   }
/// }
/// ```
public protocol MessageCardPlugin: AnyObject, Sendable {
  /// The plugin's name in ``CardProblem``s, unique within an app.
  static var business: String { get }
  /// The kinds that the plugin draws. If two plugins have a kind in common, the plugin that was registered later
  /// draws this kind.
  static var kinds: [MessageKind] { get }

  /// Makes the plugin of one chat. Called on the plugin's queue, never on the main queue.
  init(_ context: MessageCardContext)

  /// Returns the components of a message's card, from top to bottom.
  ///
  /// Called on the plugin's queue while the list waits. Return at once with the data at hand, and reload the
  /// card when more data is available. After a call that took too long, the list does not wait: each new card
  /// first shows its text. The list waits again after the plugin has made a card in time.
  ///
  /// - Throws: any error; the card then shows the message's text.
  func components(of message: ChatMessage) throws -> [any CardComponent]

  /// Performs an action of a card, in a task of its own. An action that takes longer than
  /// ``MessageCardViewModelFactory/Timeouts/action`` is reported, and continues.
  ///
  /// - Parameter value: the action's value, or the text that the user typed.
  /// - Throws: any error, which is reported in ``MessageCardViewModelFactory/problems``.
  func perform(_ action: CardAction.Name, _ value: String?, on message: ChatMessage) async throws
}

extension MessageCardPlugin {
  /// Does nothing.
  public func perform(_ action: CardAction.Name, _ value: String?, on message: ChatMessage) async throws {}
}

/// A plugin whose cards depend on other messages of its kinds, as a poll depends on its votes.
public protocol MessageFollowingPlugin: MessageCardPlugin {
  /// Updates the plugin from the messages of its kinds in the chat's window, and reloads the cards that
  /// change.
  ///
  /// Called on the plugin's queue: when the plugin is made, and after changes of the list. Several changes
  /// may be merged into one call. The messages may be the same as in the previous call.
  func follow(_ messages: [ChatMessage])
}
