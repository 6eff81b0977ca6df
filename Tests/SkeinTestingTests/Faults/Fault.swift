import Foundation
import Skein
import SkeinTesting
import Synchronization

/// One rule of the contract that a backend breaks, and the checks that have to notice.
struct Fault: Sendable, CustomStringConvertible {
  typealias Change<Value> = @Sendable (inout Value, FaultMemory) -> Void

  let description: String
  /// How the sentences begin.
  let caughtBy: [String]
  /// What a check waits for in vain that notices it; nil if it notices by what came.
  var vainWait: String?

  /// How often a check may be run to notice, where it depends on who is faster.
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
  var mark: Change<Position?> = { _, _ in }
  var progress: Change<UploadProgress> = { _, _ in }
  var token: Change<UploadToken?> = { _, _ in }
  var contacts: Change<ContactDelta> = { _, _ in }
  var actionID: Change<ActionID> = { _, _ in }
  var flaws: Set<Flaw> = []

  /// What is wrong with the way something is done, and not with what comes of it.
  enum Flaw {
    case losesTypeOfCopies, remembersLostIDs, historyIgnoresCancellation, openIgnoresCancellation,
      newestForUnknownMessage,
      statesNoAnchors
    case sendIgnoresCancellation, syncIgnoresCancellation, runIgnoresCancellation, runOutlivesConnection
    case swallowsTheEndOfRun, dropsSendsAtOnce, dropsIDsOfOtherConversations
    case losesIDsOfOthers, emptyPageForNothing, newestForNothing, swallowsReporter
    case downloadsLess, downloadsOnlyOwn, leavesPartialFile, refusesUnknownTokens
    case pagesByOffset, cursorRunsAhead
    case swallowsRefusals
    case refusesUnknownVersions, keepsWhoIsRemoved, leavesInName, leavesOnce, readsInAnyEpoch
    case renewsOnce, renewsNothing, renewsForAll
  }
}

/// What a faulty backend remembers, of all devices of one server.
final class FaultMemory: Sendable {
  struct State: Sendable {
    /// Who was given a cursor.
    var cursors: [SyncCursor: Int] = [:]
    var asked: Set<SyncCursor?> = []
    var sent: [MessageID: ConversationRef] = [:]
    var sending = 0
    var lastSender: UserID?
    var lastOpened: ConversationRef?
    var mark: Position?
    var highestUnread = 0
    var uploaders: [String: UserID] = [:]
    var tokens: Set<UploadToken> = []
    var versions: Set<ContactVersion> = []
    /// Who has left a group.
    var left: [UserID] = []
    var hasRenewed = false
    var events = 0
    var paged = 0
    var count = 0
  }
  private let state = Mutex(State())
  /// Who asks, and on which device.
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

  /// 1, 2, 3, …
  func next() -> Int {
    with { state in
      state.count += 1
      return state.count
    }
  }
}
