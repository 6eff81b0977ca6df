import Synchronization

/// The final states of messages that were cleared from the database.
///
/// Only messages composed since this process started are recorded: older ones have no ``SentMessage``.
final class ClearedSends: Sendable {
  private let state = Mutex((first: LocalMessageID(rawValue: .max), ends: [LocalMessageID: SendState]()))

  /// Sets the first message that is recorded: the next one to be composed.
  func begin(at first: LocalMessageID) { state.withLock { $0.first = first } }

  /// Records the final state of a message that is being cleared.
  func note(_ row: MessageRow) {
    guard let end = SendState(endOf: row) else { return }
    state.withLock { if row.id >= $0.first { $0.ends[row.id] = end } }
  }

  /// A message's final state; nil if it was not cleared.
  func end(of message: LocalMessageID) -> SendState? { state.withLock { $0.ends[message] } }
}
