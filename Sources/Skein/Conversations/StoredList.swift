import SkeinStorage
import Synchronization

/// The source of a list of stored values.
protocol StoredListSource: Sendable {
  associatedtype Element: Identifiable & Equatable & Sendable where Element.ID: Sendable

  /// The first values of the list, at most `limit`. Fewer values mean that the list has no more values.
  func firstStored(in store: ChatStore, limit: Int) async throws -> [Element]

  /// The stored values, in any order.
  func stored(in store: ChatStore) async throws -> [Element]

  /// Returns the values to insert into the list and the ids of the values to delete; nil if the list does not
  /// change.
  mutating func step(for changes: StoreChanges) -> (inserting: [Element], deleting: [Element.ID])?
}

/// A list of stored values that follows the changes of transactions until the list is closed.
final class StoredList<Source: StoredListSource>: Sendable {
  let publisher: ListPublisher<Source.Element>
  private let store: ChatStore
  private let subscription: ChangeFeed.Subscription
  private let following: Task<Void, any Error>
  private let follower: StoredListFollower<Source>

  init(
    of source: Source, in store: ChatStore, pageSize: Int,
    sortedBy areInOrder: @escaping @Sendable (Source.Element, Source.Element) -> Bool
  ) {
    self.store = store
    let follower = StoredListFollower(source, store, ChatDataManager(sortedBy: areInOrder), pageSize)
    self.follower = follower
    publisher = follower.publisher
    subscription = store.feed.subscribe(follower.inbox.add)
    following = store.runtime.spawn { await follower.run() }
  }

  deinit { close() }

  func open() async throws { try await follower.open() }

  /// Whether the list has all stored values.
  var isLoaded: Bool { follower.isLoaded.withLock { $0 } }

  func close() {
    store.feed.unsubscribe(subscription)
    following.cancel()
    publisher.close()
  }
}

/// Loads the first stored values, then all, and then follows the feed.
private actor StoredListFollower<Source: StoredListSource> {
  nonisolated let publisher = ListPublisher<Source.Element>()
  nonisolated let inbox = ChangeInbox()
  private let store: ChatStore
  private var source: Source
  private var list: ChatDataManager<Source.Element>
  private let pageSize: Int
  private var hasFirst = false
  nonisolated let isLoaded = Mutex(false)

  init(_ source: Source, _ store: ChatStore, _ list: ChatDataManager<Source.Element>, _ pageSize: Int) {
    self.source = source
    self.store = store
    self.list = list
    self.pageSize = pageSize
  }

  func run() async {
    await inbox.follow(store.runtime) { try await open() }
    publisher.close()
  }

  /// Loads the values that are not loaded yet. Then applies the queued changes, which include all changes committed
  /// after the loading.
  func open() async throws {
    try await loadFirst()
    try await loadAll()
    for changes in inbox.takeAll() {
      guard let step = source.step(for: changes) else { continue }
      publisher.publish(list.apply(inserting: step.inserting, deleting: step.deleting), list.snapshot)
    }
  }

  private func loadFirst() async throws {
    guard !hasFirst else { return }
    let first = try await source.firstStored(in: store, limit: pageSize)
    guard !hasFirst else { return }
    hasFirst = true
    publisher.publish(list.insert(first), list.snapshot)
    if first.count < pageSize { isLoaded.withLock { $0 = true } }
  }

  private func loadAll() async throws {
    guard !isLoaded.withLock({ $0 }) else { return }
    let stored = try await source.stored(in: store)
    guard !isLoaded.withLock({ $0 }) else { return }
    let kept = Set(stored.map(\.id))
    let gone = list.snapshot.map(\.id).filter { !kept.contains($0) }
    publisher.publish(list.apply(inserting: stored, deleting: gone), list.snapshot)
    isLoaded.withLock { $0 = true }
  }
}
