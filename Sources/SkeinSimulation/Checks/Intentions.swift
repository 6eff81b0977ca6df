import Skein
import Synchronization

/// One thing that somebody asked for, about one message.
struct Intention: Sendable {
  /// A message by the names that are the same everywhere.
  struct Target: Hashable, Sendable {
    let sender: UserID
    let message: MessageID
  }
  /// The part of a message that it is about. Reactions are each account's own; the rest is shared.
  enum Field: Hashable, Sendable {
    case text
    case recall
    case pin
    case reaction(UserID, ReactionKey)
  }
  enum Value: Hashable, Sendable {
    case text(String)
    case isSet(Bool)
  }
  enum Answer: Sendable {
    /// None yet; if the process died, there never is one, and either outcome is fine.
    case none
    /// The call returned.
    case stored
    /// The call threw: nothing was asked for.
    case declined
  }
  let target: Target
  let field: Field
  let value: Value
  let device: String
  let user: UserID
  /// The server's epoch, if the device was in it as well.
  let epoch: Epoch?
  /// How many conversations the account had closed by then; 0 if the device did not know of all of them.
  let closings: Int
  /// The intentions about the same field that were surely stored, or done, before this one.
  let predecessors: [Int]
  /// Whether it asked for something other than what the device showed. The rest changes nothing and overtakes nothing.
  var isChange: Bool
  var answer = Answer.none
}

/// What the people of a world asked for, to be compared with what the server has at rest.
final class Intentions: Sendable {
  private struct State {
    var all: [Intention] = []
    var marks: [Mark: Int64] = [:]
  }
  /// The read mark of one account in one conversation, in one epoch.
  struct Mark: Hashable, Sendable {
    let user: UserID
    let conversation: ConversationRef
    let epoch: Epoch
  }
  private let state = Mutex(State())

  var all: [Intention] { state.withLock { $0.all } }

  /// Notes what is asked for, and returns its number.
  func asks(_ intention: Intention) -> Int {
    state.withLock { state in
      state.all.append(intention)
      return state.all.count - 1
    }
  }

  /// The call has returned.
  ///
  /// - Parameter wasSame: whether the message had not changed since it was looked at: a change may be none by then.
  func stored(_ number: Int, wasSame: Bool) {
    state.withLock { state in
      state.all[number].answer = .stored
      if !wasSame { state.all[number].isChange = false }
    }
  }

  func declined(_ number: Int) { state.withLock { $0.all[number].answer = .declined } }

  /// A conversation was marked as read, at least as far as this.
  func read(_ mark: Mark, upTo position: Int64) {
    state.withLock { $0.marks[mark] = max($0.marks[mark] ?? 0, position) }
  }

  /// The furthest marks that were asked for.
  var marks: [Mark: Int64] { state.withLock { $0.marks } }

  /// The values that a field may end with, after some intentions; nil is the value that it began with.
  ///
  /// An intention is out once a change was stored that surely came after it.
  static func outcomes(of numbers: [Int], in all: [Intention]) -> Set<Value?> {
    let changes = numbers.filter { all[$0].isChange && isStored(all[$0]) }
    let overtaken = Set(changes.flatMap { all[$0].predecessors })
    let left = numbers.filter { !isDeclined(all[$0]) && !overtaken.contains($0) }
    let values = left.map { Optional(all[$0].value) }
    return Set(changes.isEmpty ? values + [nil] : values)
  }

  typealias Value = Intention.Value

  private static func isStored(_ intention: Intention) -> Bool {
    if case .stored = intention.answer { true } else { false }
  }

  private static func isDeclined(_ intention: Intention) -> Bool {
    if case .declined = intention.answer { true } else { false }
  }
}
