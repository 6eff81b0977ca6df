import SkeinStorage

/// Reports received messages to the server, as delivery receipts for the senders. If several cursors are waiting, only
/// the last cursor is reported.
///
/// The waiting cursor is not stored, and is lost when the process ends. Therefore the first complete sync after each start
/// is reported, even if it returned no messages: its cursor covers those received before.
actor Deliveries {
  private let store: ChatStore
  private let backend: any ChatBackend
  private let doorbell = Doorbell()
  private var untold: SyncCursor?
  /// Whether the next complete sync is reported even if it returns no messages: it is the first since the start, or an
  /// incomplete sync has returned messages.
  private var isDue = false
  private var backoff = RetryBackoff()

  init(store: ChatStore, backend: any ChatBackend) {
    self.store = store
    self.backend = backend
  }

  /// Works until its task is cancelled; returns at once if the backend has no delivery receipts.
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
        // The server would refuse the report again, or the session has ended.
        if untold == cursor { untold = nil }
      } catch {
        let wait = backoff.failed(
          random: store.runtime.random(), retryAfter: BackendError(from: error).retryAfter)
        try? await store.runtime.sleep(for: wait)
      }
    }
  }

  /// Called on start, before any work.
  func started() { isDue = true }

  /// Schedules a report of a stored batch's cursor. After the first report since the start, does nothing if no messages of
  /// other users were received and no earlier report is waiting.
  ///
  /// Before the last batch of a sync, nothing is scheduled: the cursor may not cover the received messages
  /// yet.
  func stored(_ batch: SyncBatch) {
    let isNews = batch.conversations.contains { delta in
      delta.messages.contains { $0.sender != store.account }
    }
    isDue = isDue || isNews || untold != nil
    guard isDue, !batch.hasMore else { return }
    (untold, isDue) = (batch.next, false)
    doorbell.ring()
  }

  /// Discards the waiting report, because the session has ended.
  func signedOut() { (untold, isDue) = (nil, false) }
}
