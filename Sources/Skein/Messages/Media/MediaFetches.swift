import SkeinStorage
import Synchronization

/// Fetches the media of new unread messages automatically, for kinds that request this, such as voice notes.
///
/// The queue is not stored. A file is not fetched automatically in any of these cases:
///
/// - The file is too large.
/// - Another process received the file's message.
/// - The app ended before the fetch.
/// - The fetch failed.
/// - Too many newer files were queued.
///
/// In these cases the file is fetched when the app requests the file.
final class MediaFetches: Sendable {
  private let store: ChatStore
  private let cache: MediaCache
  /// The maximum size of a file that is fetched automatically, in bytes.
  private let largest: Int64
  private let wanted = Mutex<[RemoteMedia]>([])
  private let doorbell = Doorbell()
  private static let mostWanted = 100

  init(store: ChatStore, cache: MediaCache, largest: Int64) {
    self.store = store
    self.cache = cache
    self.largest = largest
  }

  /// Works until its task is cancelled; returns at once if the backend has no media server or the maximum size is 0.
  func run() async {
    guard store.capabilities.media, largest > 0 else { return }
    let subscription = store.feed.subscribe { [weak self] in self?.take($0) }
    defer { store.feed.unsubscribe(subscription) }
    while !Task.isCancelled {
      guard let media = wanted.withLock({ $0.popLast() }) else {
        await doorbell.wait()
        continue
      }
      _ = try? await cache.file(for: media)
    }
  }

  private func take(_ changes: StoreChanges) {
    let media = changes.parts.flatMap { part -> [RemoteMedia] in
      guard !part.arrived.isEmpty else { return [] }
      let rows = part.messages.filter {
        store.kinds.isFetchedOnReceipt($0.kind) && part.arrived.contains($0.id)
      }
      return rows.flatMap { row -> [RemoteMedia] in
        guard case .known(let content) = store.kinds.decode(row.kind, row.payload) else { return [] }
        return content.allAttachments.compactMap(\.media).filter { $0.size <= largest }
      }
    }
    guard !media.isEmpty else { return }
    wanted.withLock { $0 = ($0 + media).suffix(Self.mostWanted) }
    doorbell.ring()
  }
}
