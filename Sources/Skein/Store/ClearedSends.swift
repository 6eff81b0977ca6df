import Synchronization

/// The final states of messages that were cleared from the database, for messages composed while this process runs: no
/// ``SentMessage`` of an earlier process exists.
final class ClearedSends: Sendable {
  private let state = Mutex((first: LocalMessageID(rawValue: .max), ends: [LocalMessageID: SendState]()))

  /// The next message composed is the first to be recorded.
  func begin(at first: LocalMessageID) { state.withLock { $0.first = first } }

  /// A message is being cleared.
  func note(_ row: MessageRow) {
    guard let end = SendState(endOf: row) else { return }
    state.withLock { if row.id >= $0.first { $0.ends[row.id] = end } }
  }

  /// A message's final state; nil if it was not cleared.
  func end(of message: LocalMessageID) -> SendState? { state.withLock { $0.ends[message] } }
}
