import Synchronization

/// How messages ended that were cleared from the database since: of those that were composed while this process runs, for
/// nobody holds a ``SentMessage`` of an earlier one.
final class ClearedSends: Sendable {
  private let state = Mutex((first: LocalMessageID(rawValue: .max), ends: [LocalMessageID: SendState]()))

  /// The next message that is composed is the first to be noted.
  func begin(at first: LocalMessageID) { state.withLock { $0.first = first } }

  /// A message is being cleared.
  func note(_ row: MessageRow) {
    guard let end = SendState(endOf: row) else { return }
    state.withLock { if row.id >= $0.first { $0.ends[row.id] = end } }
  }

  /// How a message ended; nil for one that was not cleared.
  func end(of message: LocalMessageID) -> SendState? { state.withLock { $0.ends[message] } }
}
