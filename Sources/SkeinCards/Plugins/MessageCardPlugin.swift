public import Skein

/// The business behind one or several kinds of message: what their cards are made of, and what becomes of a tap.
///
/// Each chat has one instance for all messages of the business, made when the first of them is shown. It shares nothing with the list
/// but its ``MessageCardContext``, and where it fails, is slow or was taken out, cards show their text and the list goes on.
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
  /// What the business is called, in lists of problems; unique within an app.
  static var business: String { get }
  /// The kinds whose messages it is behind; of two businesses with one kind the later registered has it.
  static var kinds: [MessageKind] { get }

  /// Begins its work in one chat, on a queue of the business's own that is never the main one.
  init(_ context: MessageCardContext)

  /// What a message's card is made of, from the top down. Called when the card is made, on the business's queue;
  /// whoever shows the card waits, so it answers at once with what it knows, and has the card reloaded
  /// when it knows more. Once it took too long, its cards show
  /// their text until they are made.
  ///
  /// - Throws: where it can't; the card then shows the message's text.
  func components(of message: ChatMessage) throws -> [any CardComponent]

  /// Does what a component of a message's card offers, on a task of its own: however long it takes, it holds up nobody.
  ///
  /// - Parameter value: the action's own, or what a person typed.
  /// - Throws: where it came to nothing; ``MessageCardViewModelFactory/problems`` tells.
  func perform(_ action: CardAction.Name, _ value: String?, on message: ChatMessage) async throws
}

extension MessageCardPlugin {
  /// Does nothing.
  public func perform(_ action: CardAction.Name, _ value: String?, on message: ChatMessage) async throws {}
}

/// A plugin whose cards show what other messages of its kinds say, as a poll shows its votes.
public protocol MessageFollowingPlugin: MessageCardPlugin {
  /// Learns from the messages of its kinds that the chat's window holds: once at its beginning, and whenever the list has changed.
  /// Called on its queue; it has those cards reloaded that show something else now.
  func follow(_ messages: [ChatMessage])
}
