import Synchronization

/// Publishes each transaction's changes to the engine's parts, in the order of the commits.
///
/// After a commit, the writer's actor calls the listeners before its next transaction. A listener therefore
/// must not wait: most listeners only queue the changes. A ``StoreChanges/release`` belongs to no transaction:
/// any task may publish it at any time.
///
/// The main listeners are `Outbox`, `ChatTimeline` (by `ChatContext`), the lists of conversations and contacts
/// (`StoredList`), `Alerts` and `PendingMarks`.
final class ChangeFeed: Sendable {
  typealias Listener = @Sendable (StoreChanges) -> Void
  /// Brings an open list up to date with the committed changes.
  typealias ListUpdate = @Sendable () async -> Void
  /// Identifies a listener's subscription, so that `unsubscribe(_:)` can end it.
  struct Subscription: Sendable, Equatable {
    fileprivate let id: Int
  }

  private struct State {
    var listeners: [(id: Int, listener: Listener)] = []
    var lists: [(id: Int, conversation: ConversationID?, update: ListUpdate)] = []
    var nextID = 0
    var version: Int64 = 0
  }
  private let state = Mutex(State())

  /// The change counter up to which all changes were published.
  var version: Int64 { state.withLock { $0.version } }

  /// Sets the change counter up to which all changes count as published.
  func begin(at version: Int64) { state.withLock { $0.version = version } }

  func subscribe(_ listener: @escaping Listener) -> Subscription {
    state.withLock { state in
      state.nextID += 1
      state.listeners.append((state.nextID, listener))
      return Subscription(id: state.nextID)
    }
  }

  /// Subscribes an open list. The list covers one conversation, or all conversations if `conversation` is
  /// nil.
  ///
  /// - Parameter update: brings the list up to date; called and awaited by ``updateLists(of:)``.
  func subscribe(
    listOf conversation: ConversationID?, _ listener: @escaping Listener, update: @escaping ListUpdate
  ) -> Subscription {
    let subscription = subscribe(listener)
    state.withLock { $0.lists.append((subscription.id, conversation, update)) }
    return subscription
  }

  func unsubscribe(_ subscription: Subscription) {
    state.withLock { state in
      state.listeners.removeAll { $0.id == subscription.id }
      state.lists.removeAll { $0.id == subscription.id }
    }
  }

  /// Returns once the open lists that cover a conversation show all committed changes.
  func updateLists(of conversation: ConversationID) async {
    let lists = state.withLock { state in
      state.lists.filter { $0.conversation.map { $0 == conversation } ?? true }
    }
    for list in lists { await list.update() }
  }

  func publish(_ changes: StoreChanges) {
    guard !changes.isEmpty else { return }
    let listeners = state.withLock { state in
      // A release belongs to no transaction, so its change counter is 0.
      state.version = max(state.version, changes.version)
      return state.listeners
    }
    for entry in listeners { entry.listener(changes) }
  }
}

/// The changes that one part of the engine has not handled yet.
final class ChangeInbox: Sendable {
  private let waiting = Mutex<[StoreChanges]>([])
  let doorbell = Doorbell()

  func add(_ changes: StoreChanges) {
    waiting.withLock { $0.append(changes) }
    doorbell.ring()
  }

  func takeAll() -> [StoreChanges] {
    waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }

  /// Calls `update` now and after each change, until the task is cancelled. A call that fails, since the disk can't
  /// be read for example, is repeated even if nothing changes.
  func follow(_ runtime: Runtime, _ update: () async throws -> Void) async {
    var backoff = RetryBackoff()
    while !Task.isCancelled {
      do {
        try await update()
        backoff.succeeded()
        await doorbell.wait()
      } catch {
        let wait = backoff.failed(random: runtime.random())
        await doorbell.wait(until: runtime.uptime() + wait, runtime)
      }
    }
  }
}
