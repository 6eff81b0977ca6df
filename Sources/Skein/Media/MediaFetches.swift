import SkeinStorage

/// Fetches what is to be here by the time that somebody opens a message: the media of kinds that say so, as voice notes do.
///
/// Nothing of it is stored. What could not be fetched, or came while the client was not started, is fetched when it is asked
/// for.
actor MediaFetches {
  private let store: ChatStore
  private let cache: MediaCache
  /// The largest file that is fetched unasked, in bytes.
  private let largest: Int64
  private let inbox = ChangeInbox()

  init(store: ChatStore, cache: MediaCache, largest: Int64) {
    self.store = store
    self.cache = cache
    self.largest = largest
  }

  /// Works until its task is cancelled; returns at once where the backend has no media.
  func run() async {
    guard store.capabilities.media, largest > 0 else { return }
    let subscription = store.feed.subscribe { [inbox] changes in
      if changes.parts.contains(where: { !$0.arrived.isEmpty }) { inbox.add(changes) }
    }
    defer { store.feed.unsubscribe(subscription) }
    while !Task.isCancelled {
      for media in inbox.takeAll().flatMap(wanted) where !Task.isCancelled {
        _ = try? await cache.file(for: media)
      }
      await inbox.doorbell.wait()
    }
  }

  private func wanted(_ changes: StoreChanges) -> [RemoteMedia] {
    changes.parts.flatMap { part in
      let arrived = Set(part.arrived)
      return part.messages.filter { arrived.contains($0.id) }.flatMap { row -> [RemoteMedia] in
        guard case .known(let content) = store.kinds.decode(row.kind, row.payload),
          type(of: content).isFetchedOnReceipt
        else { return [] }
        return content.allAttachments.compactMap(\.media)
      }
    }.filter { $0.size <= largest }
  }
}
