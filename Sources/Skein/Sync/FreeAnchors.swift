import SkeinStorage

/// Finds the anchors of answers whose neighbours are not known in advance, on servers without positions. The server's times
/// decide, but nothing is placed below the start of the history. Where messages have positions, these decide alone, see
/// `SpanMap+Placing`.
struct FreeAnchors {
  private let work: UnitOfWork

  init(_ work: UnitOfWork) { self.work = work }

  /// The anchor of a page.
  func forPage(_ messages: [IncomingMessage], in id: ConversationID) throws -> SpanMap.PageAnchor {
    guard let times = Self.times(of: messages) else { return .free(above: 0) }
    return try .free(above: max(work.spanCount(below: times, isNews: false, in: id), lowest(in: id)))
  }

  /// The anchor of a sync that may have omitted messages. News are above the end of the last sync even if a sender's clock is
  /// wrong.
  func forIncompleteSync(_ messages: [IncomingMessage], in id: ConversationID) throws -> SpanMap.PageAnchor {
    guard let times = Self.times(of: messages) else { return .free(above: 0) }
    let map = try work.spans(of: id)
    let synced = map.syncedTo.flatMap { end in map.spans.lastIndex { $0.lower <= end } }.map { $0 + 1 }
    let byTime = try work.spanCount(below: times, isNews: true, in: id)
    return try .free(above: max(synced ?? 0, byTime, lowest(in: id)))
  }

  /// The anchor of a complete sync if no earlier sync is known to end in the conversation; nil if the sync continues an earlier
  /// one. Pages that begin after the middle of its messages are newer.
  func forFirstSync(_ messages: [IncomingMessage], in id: ConversationID) throws -> SpanMap.PageAnchor? {
    let map = try work.spans(of: id)
    guard map.syncedTo == nil, let last = Self.times(of: messages)?.upperBound else { return nil }
    let newer = try map.spans.firstIndex { span in
      guard !span.upper.isEarlier else { return false }
      return try work.rows.firstMessage(of: id, from: span.lower, to: span.upper).map { $0.time > last }
        ?? false
    }
    return try .free(above: max(newer ?? map.spans.count, lowest(in: id)))
  }

  /// The times that decide about an answer: its middle time if it has more than two messages, since the wrong clock of one
  /// sender must not decide; nil if it has none.
  private static func times(of messages: [IncomingMessage]) -> ClosedRange<Timestamp>? {
    guard let first = messages.first?.time, let last = messages.last?.time else { return nil }
    guard messages.count > 2 else { return min(first, last)...last }
    let middle = messages.map(\.time).sorted()[messages.count / 2]
    return middle...middle
  }

  /// The number of spans up to the one with the first message that the server ever had. Nothing is below it. The server has
  /// messages below a span that begins with the last cleared message, and had some below the start of a trimmed history.
  private func lowest(in id: ConversationID) throws -> Int {
    let spans = try work.spans(of: id).spans
    guard let first = spans.firstIndex(where: { !$0.upper.isEarlier }), spans[first].reachesStart,
      try spans[first].lower != work.row(of: id).clearedUpTo
    else { return 0 }
    return first + 1
  }
}
