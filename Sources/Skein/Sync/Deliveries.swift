import SkeinStorage

/// Tells the server what has come to this device, so that those who sent it see that; of several cursors only the last is
/// told.
///
/// Nothing of it is stored: what a crash leaves untold is told with the next batch that brings something.
actor Deliveries {
  private let store: ChatStore
  private let backend: any ChatBackend
  private let doorbell = Doorbell()
  private var untold: SyncCursor?
  /// Whether a sync that is not through has brought something.
  private var hasNews = false
  private var backoff = RetryBackoff()

  init(store: ChatStore, backend: any ChatBackend) {
    self.store = store
    self.backend = backend
  }

  /// Works until its task is cancelled; returns at once where the backend tells nobody.
  func run() async {
    guard backend.capabilities.deliveryReceipts != nil else { return }
    while !Task.isCancelled {
      guard let cursor = untold else {
        await doorbell.wait()
        continue
      }
      do {
        try await backend.require(\.deliveryReceipts).markDelivered(upTo: cursor)
        backoff.succeeded()
        if untold == cursor { untold = nil }
      } catch let error as BackendError
        where [.permanent, .unsupported, .cursorRejected, .unauthorized].contains(error.code)
      {
        // It would be refused again.
        if untold == cursor { untold = nil }
      } catch {
        let wait = backoff.failed(
          random: store.runtime.random(), retryAfter: BackendError(from: error).retryAfter)
        try? await store.runtime.sleep(for: wait)
      }
    }
  }

  /// A batch is on disk. In the middle of a sync a cursor may stand for none of what has come.
  func stored(_ batch: SyncBatch) {
    let isNews = batch.conversations.contains { delta in
      delta.messages.contains { $0.sender != store.account }
    }
    hasNews = hasNews || isNews || untold != nil
    guard hasNews, !batch.hasMore else { return }
    (untold, hasNews) = (batch.next, false)
    doorbell.ring()
  }

  /// The session has ended.
  func signedOut() { (untold, hasNews) = (nil, false) }
}
