import SkeinStorage

/// Indexes the messages that were stored before the search index existed, in small steps.
struct OlderMessages: Sendable {
  let store: ChatStore

  /// Works until all messages are indexed, a step fails or the task is cancelled. The next start continues
  /// the work.
  func run() async {
    while !Task.isCancelled,
      (try? await store.write(.kill, { try SearchIndex($0).indexOlderMessages() })) == true
    {}
  }
}
