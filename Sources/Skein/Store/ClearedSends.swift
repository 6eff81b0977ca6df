import Synchronization

/// The final states of messages that were cleared from the database.
///
/// Only messages stored after this client opened the database are recorded: older messages have no
/// ``SentMessage``.
final class ClearedSends: Sendable {
  private let state = Mutex((first: LocalMessageID(rawValue: .max), ends: [LocalMessageID: SendState]()))

  /// Sets the lowest local id to record: the next id that will be assigned.
  func begin(at first: LocalMessageID) { state.withLock { $0.first = first } }

  /// Records the final state of a message that is being cleared.
  func note(_ row: MessageRow) {
    guard let end = SendState(endOf: row) else { return }
    state.withLock { if row.id >= $0.first { $0.ends[row.id] = end } }
  }

  /// The final state of a cleared message; nil if no state was recorded.
  func end(of message: LocalMessageID) -> SendState? { state.withLock { $0.ends[message] } }
}
