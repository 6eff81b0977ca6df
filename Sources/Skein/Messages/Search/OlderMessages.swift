import SkeinStorage

/// Indexes the messages stored before the search index existed, a few hundred at a time.
struct OlderMessages: Sendable {
  let store: ChatStore

  /// Works until all messages are indexed or its task is cancelled; after a failure, the next start
  /// continues.
  func run() async {
    while !Task.isCancelled,
      (try? await store.write(.kill, { try SearchIndex($0).indexOlderMessages() })) == true
    {}
  }
}
