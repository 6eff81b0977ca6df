import SkeinStorage

/// The source of a list of stored values.
protocol StoredListSource: Sendable {
  associatedtype Element: Identifiable & Equatable & Sendable where Element.ID: Sendable

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
    of source: Source, in store: ChatStore,
    sortedBy areInOrder: @escaping @Sendable (Source.Element, Source.Element) -> Bool
  ) {
    self.store = store
    let follower = StoredListFollower(source, store, ChatDataManager(sortedBy: areInOrder))
    self.follower = follower
    publisher = follower.publisher
    subscription = store.feed.subscribe(follower.inbox.add)
    following = store.runtime.spawn { await follower.run() }
  }

  deinit { close() }

  func open() async throws { try await follower.open() }

  func close() {
    store.feed.unsubscribe(subscription)
    following.cancel()
    publisher.close()
  }
}

/// Loads the stored values once, and then follows the feed.
private actor StoredListFollower<Source: StoredListSource> {
  nonisolated let publisher = ListPublisher<Source.Element>()
  nonisolated let inbox = ChangeInbox()
  private let store: ChatStore
  private var source: Source
  private var list: ChatDataManager<Source.Element>
  private var isLoaded = false

  init(_ source: Source, _ store: ChatStore, _ list: ChatDataManager<Source.Element>) {
    self.source = source
    self.store = store
    self.list = list
  }

  func run() async {
    while !Task.isCancelled {
      try? await open()
      await inbox.doorbell.wait()
    }
    publisher.close()
  }

  /// Loads the stored values if they are not loaded yet. Then applies the queued changes, which include all
  /// changes committed after the loading.
  func open() async throws {
    if !isLoaded {
      let stored = try await source.stored(in: store)
      if !isLoaded {
        isLoaded = true
        publisher.publish(list.insert(stored), list.snapshot)
      }
    }
    for changes in inbox.takeAll() {
      guard let step = source.step(for: changes) else { continue }
      publisher.publish(list.apply(inserting: step.inserting, deleting: step.deleting), list.snapshot)
    }
  }
}
