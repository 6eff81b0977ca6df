import Skein
import SkeinStorage

/// The numbers of messages for the ranks that a device has stored.
extension ServerOrder {
  /// The number of the last message at or below a rank; 0 if there is none.
  func number(upTo rank: Int64, in conversation: Int64, _ rows: ReadTransaction) throws -> Int64 {
    guard !hasPositions else { return max(number(upTo: rank), 0) }
    return try rows.edge(of: conversation, from: 0, to: rank, "DESC") ?? 0
  }

  /// The numbers of the messages that a span covers; nil if this is unknown. Without positions, a span covers what is
  /// between its first and its last stored message.
  func numbers(
    from lower: Int64, to upper: Int64, in conversation: Int64, _ rows: ReadTransaction
  ) throws -> ClosedRange<Int64>? {
    let first: Int64?
    let last: Int64?
    if !hasPositions {
      first = try rows.edge(of: conversation, from: lower, to: upper, "ASC")
      last = try rows.edge(of: conversation, from: lower, to: upper, "DESC")
    } else {
      (first, last) = (number(upTo: lower - 1) + 1, number(upTo: upper))
    }
    guard let first, let last, first <= last else { return nil }
    return first...last
  }
}

extension ReadTransaction {
  /// The numbers of the stored messages of the current epoch.
  func numbers(in conversation: Int64) throws -> [Int64] {
    try rows(
      ServerMessageID.self,
      "SELECT server_id FROM message WHERE conversation = ? AND server_id IS NOT NULL AND rank >= 0",
      conversation
    ).compactMap(\.position)
  }

  /// The number of the first or last message between two ranks.
  fileprivate func edge(
    of conversation: Int64, from lower: Int64, to upper: Int64, _ direction: String
  ) throws -> Int64? {
    try scalar(
      ServerMessageID.self,
      """
      SELECT server_id FROM message
      WHERE conversation = ? AND rank BETWEEN ? AND ? AND rank BETWEEN 0 AND ? AND server_id IS NOT NULL
      ORDER BY rank \(direction), id \(direction) LIMIT 1
      """, conversation, lower, upper, Rank.firstUnsent.predecessor
    )?.position
  }
}
