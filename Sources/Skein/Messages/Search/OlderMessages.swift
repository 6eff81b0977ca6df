import SkeinStorage

/// Puts what was stored before there was a search index into it, a few hundred messages at a time.
struct OlderMessages: Sendable {
  let store: ChatStore

  /// Works until all are there, or its task is cancelled; what a failure leaves undone is done after the next start.
  func run() async {
    while !Task.isCancelled,
      (try? await store.write(.kill, { try SearchIndex($0).indexOlderMessages() })) == true
    {}
  }
}
