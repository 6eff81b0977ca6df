import SkeinStorage

/// Indexes messages for search in small steps: messages that were stored by small transactions, and messages
/// that were stored before the search index existed.
///
/// Indexing one message costs about as much as storing the message. Indexing a hundred messages in one
/// transaction costs little more. A single message is therefore not indexed in the transaction that stores
/// it.
struct SearchIndexing: Sendable {
  let store: ChatStore

  /// The pause before changed messages are indexed. Further changes do not extend the pause.
  private static let pause = Duration.seconds(5)

  /// Works until the task is cancelled. If a step fails, the work goes on after the next change.
  func run() async {
    let doorbell = Doorbell()
    let subscription = store.feed.subscribe { _ in doorbell.ring() }
    defer { store.feed.unsubscribe(subscription) }
    var hasOlder = true
    while !Task.isCancelled {
      while hasOlder, !Task.isCancelled {
        guard let hasMore = try? await store.write(.kill, { try SearchIndex($0).indexOlderMessages() }) else {
          break
        }
        hasOlder = hasMore
      }
      // Messages still to be sent change soon, and would be indexed twice.
      try? await indexWaiting(withUnsent: false)
      await doorbell.wait()
      try? await store.runtime.sleep(for: Self.pause)
    }
  }

  /// Indexes the messages that wait to be indexed.
  ///
  /// - Parameter withUnsent: whether messages still to be sent are indexed as well.
  func indexWaiting(withUnsent: Bool) async throws {
    let limit = 200
    @Sendable func waiting(_ rows: ReadTransaction, limit: Int) throws -> [MessageRow] {
      try rows.messagesToIndex(withUnsent: withUnsent, limit: limit)
    }
    guard try await !store.read({ try waiting($0, limit: 1).isEmpty }) else { return }
    while !Task.isCancelled {
      let count = try await store.write(.kill) { work in
        let rows = try waiting(work.rows, limit: limit)
        for row in rows { try SearchIndex(work).index(row) }
        return rows.count
      }
      if count < limit { return }
    }
  }
}
