public import Skein
public import SkeinCards
public import SkeinWeb
import Synchronization

// A custom kind of message: its content, its card and its action. A vote is a message, so it is sent and
// received like any other message. The plugin counts only the votes in the chat's window. An app that must
// count all votes asks a server.

/// A question with answers to choose from.
public struct Poll: MessageContent {
  /// The kind's name on the wire.
  public static let kind: MessageKind = "com.example.poll"
  /// The question.
  public var question: String
  /// The answers to choose from.
  public var answers: [String]

  /// Creates a poll.
  public init(_ question: String, answers: [String]) { (self.question, self.answers) = (question, answers) }

  /// The question, for previews and alerts.
  public var displayedText: String { "📊 \(question)" }
  /// The question, for searches.
  public var searchableText: String? { question }
}

/// A user's vote in a poll. Only the user's last vote counts.
public struct PollVote: MessageContent {
  /// The kind's name on the wire.
  public static let kind: MessageKind = "com.example.pollVote"
  /// Votes do not count as unread messages.
  public static let isCountable = false
  /// The poll.
  public var poll: MessageID
  /// One of the poll's answers.
  public var answer: String

  /// Creates a vote.
  public init(_ answer: String, to poll: MessageID) { (self.poll, self.answer) = (poll, answer) }

  /// The chosen answer.
  public var displayedText: String { "☑ \(answer)" }
}

/// A poll in its current state: the question, and the answers with their votes.
public struct PollComponent: CardComponent {
  /// The component's id within the card.
  public let id: ComponentID = "poll"
  /// The question.
  public let poll: Poll
  /// The number of votes by answer.
  public let votes: [String: Int]

  /// The question and the votes, for surfaces that do not draw the poll.
  public var displayedText: String {
    ([poll.displayedText] + poll.answers.map { "\($0) \(votes[$0] ?? 0)" }).joined(separator: " · ")
  }
  /// An action for each answer, which votes for the answer.
  public var actions: [CardAction] {
    poll.answers.map { CardAction("vote", value: $0, title: "Vote for \($0)") }
  }
}

extension PollComponent: HTMLComponent {
  /// A button with a bar for each answer.
  public func html(on surface: HTMLSurface) -> HTML {
    let all = votes.values.reduce(0, +)
    return HTML(.div, [.class("column")]) {
      HTML(.strong, [.ownDirection]) { HTML(poll.question) }
      for action in actions {
        let count = votes[action.value ?? ""] ?? 0
        surface.button(action, of: id) { HTML("\(action.value ?? "")  \(count)") }
        HTML(
          .progress, [.value("\(count)"), .maximum("\(max(all, 1))"), .aria("label", "Share of the votes")])
      }
    }
  }
}

/// Draws the polls of one chat, counts the votes in its window, and sends the user's votes.
public final class PollPlugin: MessageFollowingPlugin {
  /// The name in lists of problems.
  public static let business = "polls"
  /// Polls and votes.
  public static let kinds: [MessageKind] = [Poll.kind, PollVote.kind]
  private let context: MessageCardContext
  /// Each user's last vote, by poll.
  private let votes = Mutex<[MessageID: [UserID: String]]>([:])

  /// Creates the plugin of one chat.
  public init(_ context: MessageCardContext) { self.context = context }

  /// The poll with its votes, or a vote as one line.
  public func components(of message: ChatMessage) -> [any CardComponent] {
    guard let poll = message.content.as(Poll.self) else { return [CardText(message.content.displayedText)] }
    let chosen = votes.withLock { $0[message.messageID] ?? [:] }.values.filter(poll.answers.contains)
    return [PollComponent(poll: poll, votes: chosen.reduce(into: [:]) { $0[$1, default: 0] += 1 })]
  }

  /// Sends a vote.
  public func perform(_ action: CardAction.Name, _ value: String?, on message: ChatMessage) async throws {
    guard action == "vote", let value else { return }
    try await context.send(PollVote(value, to: message.messageID))
  }

  /// Counts the votes, and reloads the polls whose votes have changed.
  public func follow(_ messages: [ChatMessage]) {
    var now: [MessageID: [UserID: String]] = [:]
    for message in messages {
      guard let vote = message.content.as(PollVote.self), message.status != .failed else { continue }
      now[vote.poll, default: [:]][message.sender] = vote.answer
    }
    let changed = votes.withLock { votes in
      defer { votes = now }
      return messages.filter { now[$0.messageID] != votes[$0.messageID] }
    }
    context.reload(changed.map(\.id))
  }
}
