import Synchronization

/// The spans of conversations with many gaps, so that a change of such a conversation does not read all of them.
///
/// Each change of a conversation's spans gives its row a new version, also in another process. The spans of a row
/// with the same version are therefore the stored ones.
final class SpanCache: Sendable {
  /// Fewer spans are read as fast from the database.
  private static let fewest = 4
  private static let capacity = 32

  private let known = Mutex<[ConversationID: (version: Int64, spans: SpanMap)]>([:])

  /// The stored spans of a conversation; nil if they have to be read.
  func spans(of row: ConversationRow) -> SpanMap? {
    known.withLock { known in
      known[row.id].flatMap { $0.version == row.version ? $0.spans : nil }
    }
  }

  /// Keeps the spans of committed rows.
  func keep(_ committed: [(row: ConversationRow, spans: SpanMap)]) {
    known.withLock { known in
      for (row, spans) in committed {
        known[row.id] = nil
        guard spans.spans.count >= Self.fewest else { continue }
        if known.count >= Self.capacity { known = [:] }
        known[row.id] = (row.version, spans)
      }
    }
  }
}
