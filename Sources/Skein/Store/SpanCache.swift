import Synchronization

/// Keeps the spans of conversations with several gaps in memory, so that a change need not read all spans of
/// its conversation.
///
/// Each change of a conversation's spans, in any process, gives the conversation's row a new version. Kept
/// spans are therefore valid while the row has the version with which they were kept.
final class SpanCache: Sendable {
  /// A conversation's spans are kept only if there are at least this many. Fewer spans are read just as fast
  /// from the database.
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
