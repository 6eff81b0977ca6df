/// The messages that this account has starred, in all chats that are not closed. The list follows the feed until
/// ``close()`` is called.
final class StarredMessages: Sendable {
  let list: StatePublisher<[FlaggedMessage]>
  private let feed: ChangeFeed
  private let subscription: ChangeFeed.Subscription
  private let following: Task<Void, any Error>

  init(store: ChatStore) {
    let reader = StarredMessageReader(store)
    list = reader.list
    feed = store.feed
    subscription = store.feed.subscribe(
      listOf: nil,
      { [inbox = reader.inbox] changes in
        let mayChange = changes.parts.contains { part in
          part.aspects.contains(.flags) || part.needsReload || part.mergedInto != nil
        }
        if mayChange { inbox.add(changes) }
      },
      update: { [weak reader] in await reader?.refresh() })
    following = store.runtime.spawn { await reader.followFeed() }
  }

  deinit { close() }

  func close() {
    feed.unsubscribe(subscription)
    following.cancel()
    list.close()
  }
}

/// Loads the list of starred messages, and loads the list again when the list may have changed.
private actor StarredMessageReader {
  nonisolated let list = StatePublisher<[FlaggedMessage]>([])
  nonisolated let inbox = ChangeInbox()
  private let store: ChatStore
  private var isStale = true
  private var reading: Task<Void, any Error>?

  init(_ store: ChatStore) { self.store = store }

  func followFeed() async {
    await inbox.follow(store.runtime) { try await update() }
    list.close()
  }

  /// Brings the list up to date. If the list can't be loaded now, ``followFeed()`` loads the list later.
  func refresh() async {
    do { try await update() } catch { inbox.doorbell.ring() }
  }

  /// Loads and publishes the list if it may have changed. Concurrent calls wait for the same load.
  private func update() async throws {
    while true {
      if !inbox.takeAll().isEmpty { isStale = true }
      if let reading {
        try await reading.value
      } else if isStale {
        isStale = false
        let task = store.runtime.spawn { try await self.read() }
        reading = task
        try await task.value
      } else {
        return
      }
    }
  }

  private func read() async throws {
    defer { reading = nil }
    do {
      let (account, kinds) = (store.account, store.kinds)
      list.publish(try await store.read { try $0.messages(with: .star, for: account, kinds) })
    } catch {
      isStale = true
      throw error
    }
  }
}
