public import Skein
public import SkeinCards
public import SkeinWeb
import Synchronization

// A kind of message of one's own: what it says, what it looks like, and what becomes of a click. A poll's votes are messages, so
// they wait and arrive like all others. Those that the chat's window holds are counted; who must count all asks a server.

/// A question with answers to choose from.
public struct Poll: MessageContent {
  /// Its name on the wire.
  public static let kind: MessageKind = "com.example.poll"
  /// What is asked.
  public var question: String
  /// What can be answered.
  public var answers: [String]

  /// Asks a question.
  public init(_ question: String, answers: [String]) { (self.question, self.answers) = (question, answers) }

  /// The question, for previews and alerts.
  public var displayedText: String { "📊 \(question)" }
  /// A search finds it by its question.
  public var searchableText: String? { question }
}

/// Somebody's answer to a poll; of several the last one counts.
public struct PollVote: MessageContent {
  /// Its name on the wire.
  public static let kind: MessageKind = "com.example.pollVote"
  /// An unread vote is no unread message.
  public static let isCountable = false
  /// The poll.
  public var poll: MessageID
  /// The answer, one of the poll's own.
  public var answer: String

  /// Answers a poll.
  public init(_ answer: String, to poll: MessageID) { (self.poll, self.answer) = (poll, answer) }

  /// What was answered.
  public var displayedText: String { "☑ \(answer)" }
}

/// A poll as it stands: the question, and the answers with their votes.
public struct PollComponent: CardComponent {
  /// Names it within its card.
  public let id: ComponentID = "poll"
  /// What is asked.
  public let poll: Poll
  /// How many chose each answer.
  public let votes: [String: Int]

  /// The question and the votes, for surfaces on which it is not drawn.
  public var displayedText: String {
    ([poll.displayedText] + poll.answers.map { "\($0) \(votes[$0] ?? 0)" }).joined(separator: " · ")
  }
  /// One for each answer.
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

/// The business of polls in one chat: counts the votes that the chat holds, and sends one's own.
public final class PollPlugin: MessageFollowingPlugin {
  /// Its name in lists of problems.
  public static let business = "polls"
  /// Polls and votes: the plugin hears of both.
  public static let kinds: [MessageKind] = [Poll.kind, PollVote.kind]
  private let context: MessageCardContext
  /// Of each poll who chose what; of several votes the last one counts.
  private let votes = Mutex<[MessageID: [UserID: String]]>([:])

  /// Begins its work in one chat.
  public init(_ context: MessageCardContext) { self.context = context }

  /// The poll with its votes, or a vote in a line.
  public func components(of message: ChatMessage) -> [any CardComponent] {
    guard let poll = message.content.as(Poll.self) else { return [CardText(message.content.displayedText)] }
    let chosen = votes.withLock { $0[message.messageID] ?? [:] }.values.filter(poll.answers.contains)
    return [PollComponent(poll: poll, votes: chosen.reduce(into: [:]) { $0[$1, default: 0] += 1 })]
  }

  /// Votes.
  public func perform(_ action: CardAction.Name, _ value: String?, on message: ChatMessage) async throws {
    guard action == "vote", let value else { return }
    try await context.send(PollVote(value, to: message.messageID))
  }

  /// Has the polls drawn anew whose votes have come, changed or gone.
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
