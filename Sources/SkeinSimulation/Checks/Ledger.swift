import Skein
import Synchronization

/// A broken promise in a world.
public struct SimulationViolation: Sendable, Hashable, Codable {
  /// The world's seed.
  public let seed: UInt64
  /// The step of the world's story.
  public let step: Int
  /// The id of the broken promise.
  public let invariant: String
  /// A description of the observation.
  public let what: String

  /// Creates a violation.
  public init(seed: UInt64, step: Int, invariant: String, what: String) {
    self.seed = seed
    self.step = step
    self.invariant = invariant
    self.what = what
  }
}

/// Records the messages given to the clients of a world, the requests to the server, and the violations.
final class Ledger: Sendable {
  /// One message, identified by its token, a text that no other message has.
  struct Entry: Sendable {
    enum Fate: Sendable {
      /// The client was asked to send the message and has not answered.
      case asked
      /// The client has confirmed that the message is stored.
      case stored(LocalMessageID, MessageID)
      /// The client was asked to cancel the message and has not answered.
      case cancelling(LocalMessageID, MessageID)
      /// The client has reported that the message is not stored.
      case declined
      /// The client has confirmed the cancellation: the server will never have the message.
      case cancelled
    }
    let token: String
    let device: String
    let conversation: ConversationID
    /// The message that the server must have before this message.
    let target: MessageID?
    /// The message to which this message replies.
    let replied: MessageID?
    var fate = Fate.asked
    var userRetries = 0
    /// The retries on other devices of the sender, which show the message as lost after the server was restored.
    var retriesElsewhere = 0
    /// Whether a cancellation of the message was requested. The message may still reach the server, in any
    /// order.
    var isCancelRequested = false
  }
  /// A message id of one device.
  struct Key: Hashable, Sendable {
    let device: String
    let id: MessageID
  }
  struct Attempts: Sendable {
    var first: OutgoingMessage
    /// Whether the message was edited after its last request, while the server certainly did not have the
    /// message.
    var mayDiffer = false
    var count = 1
    var wasRefused = false
    var wasUnknown = false
    var failures = 0
  }
  struct State {
    var entries: [Entry] = []
    var byToken: [String: Int] = [:]
    /// The message that was posted first with each token; later messages with the token are forwarded copies.
    var originals: [String: MessageID] = [:]
    /// The tokens of forwarded messages.
    var forwarded: Set<String> = []
    /// The forwarded copies that devices have confirmed as stored, with the devices.
    var copies: [MessageID: String] = [:]
    var attempts: [Key: Attempts] = [:]
    /// The messages that were edited while the server certainly did not have them.
    var edited: Set<Key> = []
    /// How often the upload of each picture failed.
    var uploadFailures: [String: Int] = [:]
    /// How often the preparation of each text failed.
    var preparationFailures: [String: Int] = [:]
    /// The contacts that were ever removed, and the groups that were ever left.
    var closed: [UserID: [Contact.ID]] = [:]
    /// The messages of chats that were cleared: they may be gone, whatever their status.
    var cleared: Set<Key> = []
    /// The messages that the server had and lost, even if the server received the messages again. After a
    /// restore, the messages that the server has trimmed count as lost too.
    var lost: Set<MessageID> = []
    /// The messages whose recall was requested.
    var recalled: Set<MessageID> = []
    /// The messages of which the server refused a revision.
    var unrevised: Set<Key> = []
    /// The messages that were deleted or cleared while they had no server id on the device: their revisions
    /// are void.
    var abandoned: Set<Key> = []
    var step = 0
    var violations: [SimulationViolation] = []
  }
  let seed: UInt64
  let world: World
  let state = Mutex(State())

  init(seed: UInt64, world: World) {
    self.seed = seed
    self.world = world
  }

  var violations: [SimulationViolation] { state.withLock { $0.violations } }
  var entries: [Entry] { state.withLock { $0.entries } }
  func setStep(_ step: Int) { state.withLock { $0.step = step } }

  /// Notes a violation in the trace and records it; at most three are recorded for each invariant.
  func report(_ invariant: String, _ what: @autoclosure () -> String) {
    let what = what()
    world.note("VIOLATION \(invariant) \(what)")
    state.withLock { state in
      guard state.violations.count(where: { $0.invariant == invariant }) < 3 else { return }
      state.violations.append(
        SimulationViolation(seed: seed, step: state.step, invariant: invariant, what: what))
    }
  }

  func expect(_ condition: Bool, _ invariant: String, _ what: @autoclosure () -> String) {
    if !condition { report(invariant, what()) }
  }

  // MARK: Calls to clients

  func asks(
    _ token: String, of device: String, in conversation: ConversationID, after target: MessageID?,
    replyingTo replied: MessageID? = nil
  ) {
    state.withLock { state in
      state.byToken[token] = state.entries.count
      state.entries.append(
        Entry(token: token, device: device, conversation: conversation, target: target, replied: replied))
    }
  }

  func answered(_ token: String, _ fate: Entry.Fate) { change(token) { $0.fate = fate } }

  func closes(_ contact: Contact.ID, of user: UserID) {
    state.withLock { $0.closed[user, default: []].append(contact.original) }
  }

  /// The contacts that a user has removed and the groups that the user has left, in order.
  func closings(of user: UserID) -> [Contact.ID] { state.withLock { $0.closed[user] ?? [] } }

  /// Whether a user's conversation was ever closed: messages in flight at that time may arrive in any order.
  func wasClosed(_ info: ConversationInfo, of user: UserID) -> Bool {
    let contact = info.type == .direct ? info.peer.map { Contact.ID.user($0) } : .group(info.ref.original)
    return contact.map { contact in state.withLock { $0.closed[user]?.contains(contact) == true } } ?? false
  }

  func clears(_ ids: [MessageID], on device: String) {
    state.withLock { $0.cleared.formUnion(ids.map { Key(device: device, id: $0) }) }
  }

  func wasCleared(_ id: MessageID, on device: String) -> Bool {
    state.withLock { $0.cleared.contains(Key(device: device, id: id)) }
  }

  func serverLoses(_ ids: [MessageID]) { state.withLock { $0.lost.formUnion(ids) } }

  /// Notes an edit of a message that the server certainly does not have: the next request for the message may
  /// differ from earlier requests. An edit of a message that is being prepared waits, and may become the content
  /// only after the server has refused the message.
  func edits(_ id: MessageID, on device: String) {
    state.withLock { state in
      let key = Key(device: device, id: id)
      state.attempts[key]?.mayDiffer = true
      state.edited.insert(key)
    }
  }

  /// Notes that the recall of a message was requested.
  func recalls(_ id: MessageID) { state.withLock { _ = $0.recalled.insert(id) } }

  func refusesRevision(of id: MessageID, from device: String) {
    state.withLock { _ = $0.unrevised.insert(Key(device: device, id: id)) }
  }

  func wasRevisionRefused(of id: MessageID, from device: String) -> Bool {
    state.withLock { $0.unrevised.contains(Key(device: device, id: id)) }
  }

  /// Notes that messages without a server id were deleted or cleared: their revisions are dropped.
  func abandons(_ ids: [MessageID], on device: String) {
    state.withLock { $0.abandoned.formUnion(ids.map { Key(device: device, id: $0) }) }
  }

  func wasAbandoned(_ id: MessageID, on device: String) -> Bool {
    state.withLock { $0.abandoned.contains(Key(device: device, id: id)) }
  }

  func wasRecalled(_ id: MessageID) -> Bool { state.withLock { $0.recalled.contains(id) } }

  func wasLost(_ id: MessageID) -> Bool { state.withLock { $0.lost.contains(id) } }

  func cancels(_ token: String, _ id: LocalMessageID, _ messageID: MessageID) {
    change(token) { entry in
      entry.fate = .cancelling(id, messageID)
      entry.isCancelRequested = true
    }
  }

  func retried(_ id: MessageID, on device: String) {
    state.withLock { state in
      for index in state.entries.indices {
        let isOwn = state.entries[index].device == device
        switch state.entries[index].fate {
        case .stored(_, id) where isOwn, .cancelling(_, id) where isOwn: state.entries[index].userRetries += 1
        case .stored(_, id), .cancelling(_, id): state.entries[index].retriesElsewhere += 1
        default: break
        }
      }
    }
  }

  /// The token of a message that a device has confirmed as stored; nil if there is no such message, or if the
  /// message is being cancelled or was cancelled.
  func token(of id: MessageID, on device: String) -> String? {
    state.withLock { state in
      state.entries.first { entry in
        guard entry.device == device, case .stored(_, id) = entry.fate else { return false }
        return true
      }?.token
    }
  }

  func entry(_ token: String) -> Entry? {
    state.withLock { state in state.byToken[token].map { state.entries[$0] } }
  }

  func attempts(of id: MessageID, from device: String) -> Attempts? {
    state.withLock { $0.attempts[Key(device: device, id: id)] }
  }

  private func change(_ token: String, _ body: (inout Entry) -> Void) {
    state.withLock { state in
      guard let index = state.byToken[token] else { return }
      body(&state.entries[index])
    }
  }
}
