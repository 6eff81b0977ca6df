import SkeinStorage

/// Sent messages whose place in the history is not known, since the server's receipts have no positions.
///
/// Such a message floats: it is listed last until a sync or a page returns it. Once newer messages are known, a floating
/// message is listed in the gap in which it belongs by the server's time.
struct FloatingMessages {
  private let work: UnitOfWork

  init(_ work: UnitOfWork) { self.work = work }

  /// The time at which the server stored a message, if its receipt states none.
  ///
  /// Without positions, this time decides where the message is listed until an answer returns it. The server has stored
  /// the message just now, so that the message is newer than those received before, even if this device's clock is slow.
  func estimatedTime(of row: MessageRow) throws -> Timestamp {
    guard work.store.ordering == .arrival else { return row.time }
    let newest = try work.spans(of: row.conversation).newest.flatMap {
      try work.rows.lastMessage(of: row.conversation, from: $0.lower, to: $0.upper)?.time
    }
    return max(work.store.clock.now, newest ?? row.time)
  }

  /// Floating messages that were taken out of a gap, as they were there.
  struct Lifted {
    var rows: [MessageRow] = []
    /// The messages on both sides of the gap.
    var gap = Rank.lowest...Rank.highest
  }

  /// Takes the floating messages out of the gap above a number of spans.
  ///
  /// Called before an answer is placed in the gap: they may belong on either side of it. While their places are among those of
  /// the answer, its times can't be told from theirs.
  ///
  /// - Returns: the messages, for ``listByTime(_:in:keepsEstimates:)`` after the answer is stored.
  func lift(fromGapAbove index: Int, in id: ConversationID) throws -> Lifted {
    let spans = try work.spans(of: id).spans
    guard work.store.ordering == .arrival, spans.indices.contains(index) else { return Lifted() }
    // Messages of an earlier epoch get a place when an answer returns them.
    let lower = index > 0 ? max(spans[index - 1].upper, .beforeHistory) : .beforeHistory
    let upper = spans[index].lower
    guard lower < upper else { return Lifted() }
    var lifted = try lift(work.rows.sentMessages(of: id, between: lower, upper))
    lifted.gap = lower...upper
    return lifted
  }

  /// Takes one message out of its gap.
  func lift(_ message: LocalMessageID) throws -> Lifted { try lift([work.rows.message(message)]) }

  private func lift(_ rows: [MessageRow]) throws -> Lifted {
    for var row in rows {
      row.rank = .firstUnsent
      try work.update(row)
    }
    return Lifted(rows: rows)
  }

  /// Moves floating messages into the gaps in which they belong by the server's time.
  ///
  /// They get their exact places with the page that returns them. If no page ever does, since the server has deleted
  /// them, they stay among the messages of their time.
  ///
  /// - Parameters:
  ///   - lifted: messages whose gap an answer has changed. They get a place in what is left of it. If nothing is left, they
  ///     return to their places.
  ///   - keepsEstimates: whether messages with estimated times stay where they are, whatever this device's clock says: after a
  ///     receipt, a page without news, and a sync that has brought everything that is new.
  func listByTime(_ lifted: Lifted = Lifted(), in id: ConversationID, keepsEstimates: Bool = false) throws {
    guard work.store.ordering == .arrival else { return }
    let spans = try work.spans(of: id).spans
    let lowest = (spans.lastIndex { $0.lower <= lifted.gap.lowerBound } ?? -1) + 1
    let highest = spans.firstIndex { lifted.gap.upperBound <= $0.upper } ?? spans.count
    if lowest > highest { try putBack(lifted) }
    let ids = Set(lifted.rows.map(\.id))
    let floating = try work.rows.floatingMessages(of: id).filter { row in
      ids.contains(row.id) || !keepsEstimates || !row.isTimeEstimated
    }
    guard !floating.isEmpty else { return }
    let floor = try max(work.row(of: id).clearedUpTo, .unplaced)
    let gaps = try Dictionary(grouping: floating) { row in
      let index = try work.spanCount(below: row.time...row.time, isNews: true, in: id)
      return ids.contains(row.id) ? min(max(index, lowest), highest) : index
    }
    for index in spans.indices {
      guard let rows = gaps[index] else { continue }
      let upper = spans[index].lower
      let end = index > 0 ? spans[index - 1].upper : Rank(rawValue: upper.rawValue - Self.width)
      let lower = max(end, .beforeHistory)
      // A message that was unsent when the chat was cleared may be older than the last cleared message.
      try spread(rows, between: upper > floor ? max(lower, floor) : lower, upper, in: id)
    }
  }

  /// Gives lifted messages that no answer has returned their former places.
  private func putBack(_ lifted: Lifted) throws {
    for known in lifted.rows {
      guard var row = try work.rows.find(MessageRow.self, known.id), row.rank.isUnsent else { continue }
      row.rank = known.rank
      try work.update(row)
    }
  }

  /// Places messages in the middle of a gap, in the order of their times, together with those that are there already. If
  /// there is no room below the history, since it begins at the lowest place, the messages get the rank below every history.
  private func spread(_ rows: [MessageRow], between lower: Rank, _ upper: Rank, in id: ConversationID) throws
  {
    let moved = Set(rows.map(\.id))
    let present = try work.rows.sentMessages(of: id, between: lower, upper).filter { !moved.contains($0.id) }
    let all = (present + rows).sorted { ($0.time, $0.id) < ($1.time, $1.id) }
    let hasRoom = upper.rawValue - lower.rawValue > 2 * Int64(all.count) + 2
    guard hasRoom || lower == .beforeHistory else { return }
    let middle = lower.rawValue + (upper.rawValue - lower.rawValue) / 2
    for (offset, row) in (hasRoom ? all : rows).enumerated() {
      var placed = row
      placed.rank = hasRoom ? Rank(rawValue: middle + Int64(offset)) : .beforeHistory
      if placed != row { try work.update(placed) }
    }
  }

  /// The assumed width of a gap without messages below it.
  private static let width: Int64 = 1 << 40
}

extension UnitOfWork {
  /// The number of spans above which messages belong by the server's times.
  ///
  /// Nothing is missing within a span. Messages that are older than the end of a span, and not in the span, therefore
  /// belong below it. Spans of earlier epochs and spans without messages count as older.
  ///
  /// - Parameters:
  ///   - times: the times of the first and of the last message.
  ///   - isNews: whether the messages belong above a span if all times are equal.
  func spanCount(below times: ClosedRange<Timestamp>, isNews: Bool, in id: ConversationID) throws -> Int {
    let last = try spans(of: id).spans.lastIndex { span in
      guard !span.upper.isEarlier, let end = try end(from: span.lower, to: span.upper, in: id),
        end >= times.upperBound
      else { return true }
      guard end == times.upperBound,
        let start = try rows.firstMessage(of: id, from: span.lower, to: span.upper)?.time
      else { return false }
      return start < end || isNews && times.lowerBound == end
    }
    return last.map { $0 + 1 } ?? 0
  }

  /// The time up to which a span reaches, given its first and last rank; nil if it has no messages.
  ///
  /// A single message with a wrong time does not decide: it is the second latest of the last times, if there are three.
  private func end(from lower: Rank, to upper: Rank, in id: ConversationID) throws -> Timestamp? {
    let times = try rows.lastTimes(of: id, from: lower, to: upper, limit: 5).sorted()
    return times.count > 2 ? times[times.count - 2] : times.last
  }
}
