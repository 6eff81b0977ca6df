import Skein
import Synchronization

/// One change to a message, as requested by a user.
struct Intention: Sendable {
  /// A message, identified by ids that are the same on all devices.
  struct Target: Hashable, Sendable {
    let sender: UserID
    let message: MessageID
  }
  /// The part of a message that an intention changes. Reactions and some flags belong to one account, and the
  /// account's id is part of the field. All other fields are shared.
  enum Field: Hashable, Sendable {
    case text
    case recall
    case flag(MessageFlag, of: UserID?)
    case reaction(UserID, ReactionKey)
  }
  enum Value: Hashable, Sendable {
    case text(String)
    case isSet(Bool)
  }
  enum Answer: Sendable {
    /// There is no answer yet. If the process died or the call threw an error other than `ChatError`, no
    /// answer will come, and either outcome is allowed.
    case none
    /// The call returned.
    case stored
    /// The call threw a `ChatError`: the intention is void.
    case declined
  }
  let target: Target
  let field: Field
  let value: Value
  let device: String
  let user: UserID
  /// The server's epoch. Nil in three cases: the device was in another epoch; the server had lost the message
  /// and did not have it again; the server had lost the message and the device showed it as failed.
  let epoch: Epoch?
  /// The number of conversations that the account had closed before the request. 0 if the device did not know
  /// the newest contact list.
  let closings: Int
  /// The intentions about the same field that certainly precede this intention.
  let predecessors: [Int]
  /// Whether the call certainly changed the value. False in two cases: the device already showed this value;
  /// the value is a reaction or a flag, and the message may have changed during the call. The intention then
  /// overtakes no other intention.
  var isChange: Bool
  var answer = Answer.none
}

/// The intentions of all users of a world, to be compared with the server's state at rest.
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

  /// Records an intention and returns its number.
  func asks(_ intention: Intention) -> Int {
    state.withLock { state in
      state.all.append(intention)
      return state.all.count - 1
    }
  }

  /// Records that the call has returned.
  ///
  /// - Parameter wasSame: False for a reaction or a flag if the message may have changed between the request
  ///   and the end of the call. The call may then have changed nothing.
  func stored(_ number: Int, wasSame: Bool) {
    state.withLock { state in
      state.all[number].answer = .stored
      if !wasSame { state.all[number].isChange = false }
    }
  }

  func declined(_ number: Int) { state.withLock { $0.all[number].answer = .declined } }

  /// Records that a conversation was marked as read at least up to a position.
  func read(_ mark: Mark, upTo position: Int64) {
    state.withLock { $0.marks[mark] = max($0.marks[mark] ?? 0, position) }
  }

  /// Forgets the read marks of an account: a power cut on one of its devices may have lost them.
  func lostPower(of user: UserID) {
    state.withLock { state in state.marks = state.marks.filter { $0.key.user != user } }
  }

  /// The furthest read marks that were requested.
  var marks: [Mark: Int64] { state.withLock { $0.marks } }

  /// The values that a field may have after some intentions; nil means the initial value.
  ///
  /// A stored change overtakes all intentions that certainly precede the change.
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
