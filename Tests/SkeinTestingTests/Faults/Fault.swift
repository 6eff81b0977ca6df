import Foundation
import Skein
import SkeinTesting
import Synchronization

/// One broken rule of the contract, and the checks that must notice it.
struct Fault: Sendable, CustomStringConvertible {
  typealias Change<Value> = @Sendable (inout Value, FaultMemory) -> Void

  let description: String
  /// The beginnings of the sentences of the checks that must notice the fault.
  let caughtBy: [String]
  /// The part of a failure that names what the check awaited in vain; nil if a wrong result fails the check.
  var vainWait: String?

  /// The number of runs, one of which must notice the fault; more than 1 if that depends on timing.
  var tries = 1

  var message: Change<IncomingMessage> = { _, _ in }
  var sync: Change<SyncBatch> = { _, _ in }
  var syncRequest: Change<(since: SyncCursor?, limit: Int)> = { _, _ in }
  var page: Change<HistoryPage> = { _, _ in }
  var pageRequest: Change<(conversation: ConversationRef, anchor: HistoryAnchor, limit: Int)> = { _, _ in }
  var info: Change<ConversationInfo> = { _, _ in }
  var opening: Change<ConversationRequest> = { _, _ in }
  var outgoing: Change<OutgoingMessage> = { _, _ in }
  var receipt: Change<SendReceipt> = { _, _ in }
  var event: @Sendable (BackendEvent, FaultMemory) -> BackendEvent? = { event, _ in event }
  var error: Change<BackendError> = { _, _ in }
  var mark: Change<MessageMark?> = { _, _ in }
  var progress: Change<UploadProgress> = { _, _ in }
  var token: Change<UploadToken?> = { _, _ in }
  var contacts: Change<ContactDelta> = { _, _ in }
  var actionID: Change<ActionID> = { _, _ in }
  var flaws: Set<Flaw> = []

  /// A fault that `FaultyBackend` or `FaultyServer` implements, since a changed value can't express it.
  enum Flaw {
    case repeatsFirstAnswer, losesTypeOfCopies, remembersLostIDs, historyIgnoresCancellation,
      openIgnoresCancellation,
      newestForUnknownMessage,
      statesNoAnchors
    case sendIgnoresCancellation, syncIgnoresCancellation, runIgnoresCancellation, runOutlivesConnection
    case swallowsTheEndOfRun, dropsSendsAtOnce, dropsIDsOfOtherConversations
    case losesIDsOfOthers, emptyPageForNothing, newestForNothing, swallowsReporter
    case downloadsLess, downloadsOnlyOwn, leavesPartialFile, refusesUnknownTokens
    case pipelinesBackwards
    case pagesByOffset, cursorRunsAhead
    case swallowsRefusals
    case refusesUnknownVersions, keepsWhoIsRemoved, leavesInName, leavesOnce, acceptsInName, readsInAnyEpoch
    case renewsOnce, renewsNothing, renewsForAll
  }
}

/// The memory of faulty backends, shared by all devices of one server.
final class FaultMemory: Sendable {
  struct State: Sendable {
    /// The device that received each cursor last.
    var cursors: [SyncCursor: Int] = [:]
    var asked: Set<SyncCursor?> = []
    var sent: [MessageID: ConversationRef] = [:]
    var starred: [ServerMessageID: Timestamp] = [:]
    var sending = 0
    var lastSender: UserID?
    var lastOpened: ConversationRef?
    var mark: MessageMark?
    var highestUnread = 0
    var uploaders: [String: UserID] = [:]
    var tokens: Set<UploadToken> = []
    var versions: Set<ContactVersion> = []
    /// The users who have asked to leave a group, once for each request.
    var left: [UserID] = []
    var hasRenewed = false
    /// The first answer to each action.
    var answers: [ActionID: IncomingMessage] = [:]
    var events = 0
    var paged = 0
    var count = 0
  }
  private let state = Mutex(State())
  /// The calling user and device.
  let user: UserID
  let device: Int
  private let shared: FaultMemory?

  init(user: UserID, shared: FaultMemory? = nil) {
    self.user = user
    self.shared = shared
    device = shared?.next() ?? 0
  }

  func with<Value>(_ body: (inout sending State) -> sending Value) -> Value {
    if let shared { return shared.with(body) }
    return state.withLock(body)
  }

  /// The next number, from 1.
  func next() -> Int {
    with { state in
      state.count += 1
      return state.count
    }
  }
}
