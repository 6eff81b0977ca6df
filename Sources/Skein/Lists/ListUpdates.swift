import Synchronization

/// One published step of a list.
public struct ListUpdate<Item: Sendable>: Sendable {
  /// The change from the previous list to ``snapshot``.
  public let change: ListChange
  /// The list after this step.
  public let snapshot: ListSnapshot<Item>
}

/// The changes of a list for one listener, in order.
///
/// The first element leads from the empty list to the current list. Each later element leads from the list of
/// the previous element to its own list. If more than 256 steps wait for a listener, these steps are merged
/// into one step to the current list. In a message list, waiting steps are also merged when the app changes
/// the chat, for example by sending a message.
public struct ListUpdates<Item: Identifiable & Equatable & Sendable>: AsyncSequence, Sendable
where Item.ID: Sendable {
  let publisher: ListPublisher<Item>
  /// The object that feeds the list, kept alive while this sequence or one of its iterators exists.
  let owner: any AnyObject & Sendable

  /// Returns the updates one after the other.
  public struct Iterator: AsyncIteratorProtocol {
    let listener: ListListener<Item>
    let owner: any AnyObject & Sendable
    /// Waits for the next step. After the client was closed or the task was cancelled, returns the waiting
    /// steps, and then nil.
    public mutating func next() async -> ListUpdate<Item>? { await listener.next() }
  }

  /// Starts listening.
  public func makeAsyncIterator() -> Iterator { Iterator(listener: publisher.listen(), owner: owner) }
}

/// Holds the current snapshot of a list, and sends every step to the listeners.
final class ListPublisher<Item: Identifiable & Equatable & Sendable>: Sendable where Item.ID: Sendable {
  private struct State {
    var snapshot = ListSnapshot<Item>()
    var listeners: [WeakListener] = []
    var isClosed = false
  }
  private struct WeakListener {
    weak var listener: ListListener<Item>?
  }
  private let state = Mutex(State())

  var snapshot: ListSnapshot<Item> { state.withLock { $0.snapshot } }

  func updates(of owner: any AnyObject & Sendable) -> ListUpdates<Item> {
    ListUpdates(publisher: self, owner: owner)
  }

  func publish(_ change: ListChange, _ snapshot: ListSnapshot<Item>) {
    guard !change.isEmpty else { return }
    let update = ListUpdate(change: change, snapshot: snapshot)
    let wakeups = state.withLock { state in
      state.snapshot = snapshot
      state.listeners.removeAll { $0.listener == nil }
      return state.listeners.compactMap { $0.listener?.add(update) }
    }
    for wakeup in wakeups { wakeup() }
  }

  /// For each listener, merges the steps that are not delivered yet into one step to the current list.
  func mergePending() {
    let listeners = state.withLock { $0.listeners }
    for weak in listeners { weak.listener?.mergePending() }
  }

  func close() {
    let listeners = state.withLock { state in
      state.isClosed = true
      defer { state.listeners = [] }
      return state.listeners
    }
    for weak in listeners { weak.listener?.end() }
  }

  fileprivate func listen() -> ListListener<Item> {
    state.withLock { state in
      let listener = ListListener(startingWith: state.snapshot)
      if state.isClosed { listener.end() } else { state.listeners.append(WeakListener(listener: listener)) }
      return listener
    }
  }
}

/// The queue of one listener. Its length is bounded: if too many steps wait, they are merged into one step.
final class ListListener<Item: Identifiable & Equatable & Sendable>: Sendable where Item.ID: Sendable {
  private static var mostPending: Int { 256 }

  private struct State {
    var pending: [ListUpdate<Item>] = []
    /// The last delivered snapshot.
    var delivered = ListSnapshot<Item>()
    var waiter: UnsafeContinuation<ListUpdate<Item>?, Never>?
    var isEnded = false

    mutating func mergePending() {
      guard pending.count > 1, let last = pending.last else { return }
      let change = ListChange(from: delivered, to: last.snapshot)
      pending = [ListUpdate(change: change, snapshot: last.snapshot)]
    }
  }
  private let state: Mutex<State>

  fileprivate init(startingWith snapshot: ListSnapshot<Item>) {
    var change = ListChange()
    change.insertions = Array(snapshot.indices)
    state = Mutex(State(pending: [ListUpdate(change: change, snapshot: snapshot)]))
  }

  /// Queues an update. If the listener is waiting, instead returns a closure that delivers the update: call
  /// this closure outside of every lock.
  fileprivate func add(_ update: ListUpdate<Item>) -> (@Sendable () -> Void)? {
    state.withLock { state in
      if let waiter = state.waiter {
        state.waiter = nil
        state.delivered = update.snapshot
        return { waiter.resume(returning: update) }
      }
      state.pending.append(update)
      if state.pending.count > Self.mostPending { state.mergePending() }
      return nil
    }
  }

  fileprivate func mergePending() { state.withLock { $0.mergePending() } }

  fileprivate func end() {
    let waiter = state.withLock { state in
      state.isEnded = true
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume(returning: nil)
  }

  fileprivate func next() async -> ListUpdate<Item>? {
    await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        let answer = state.withLock { state -> ListUpdate<Item>?? in
          if !state.pending.isEmpty {
            let update = state.pending.removeFirst()
            state.delivered = update.snapshot
            return .some(update)
          }
          if state.isEnded || Task.isCancelled { return .some(nil) }
          state.waiter = continuation
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      end()
    }
  }
}

extension ListChange {
  /// The change between any two snapshots of a list. O(n log n); for listeners that fell behind.
  init<Item: Identifiable & Equatable>(from old: ListSnapshot<Item>, to new: ListSnapshot<Item>) {
    self.init()
    let oldItems = Array(old), newItems = Array(new)
    let newIndexes = Dictionary(newItems.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { $1 })
    var kept: Set<Item.ID> = []
    var lastStayed = -1
    for (index, item) in oldItems.enumerated() {
      guard let place = newIndexes[item.id] else {
        deletions.append(index)
        continue
      }
      kept.insert(item.id)
      if place < lastStayed { moves.append(Move(from: index, to: place)) } else { lastStayed = place }
      if newItems[place] != item { updates.append(place) }
    }
    insertions = newItems.indices.filter { !kept.contains(newItems[$0].id) }
    moves.sort { $0.to < $1.to }
    updates.sort()
  }
}
