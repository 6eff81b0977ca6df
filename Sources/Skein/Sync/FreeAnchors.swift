import SkeinStorage

/// Finds the anchors of answers whose neighbours are not known in advance, on servers without positions. The server's times
/// decide. Where messages have positions, these decide alone, see `SpanMap+Placing`.
struct FreeAnchors {
  private let work: UnitOfWork

  init(_ work: UnitOfWork) { self.work = work }

  /// The anchor of a page.
  func forPage(_ messages: [IncomingMessage], in id: ConversationID) throws -> SpanMap.PageAnchor {
    guard let first = messages.first?.time, let last = messages.last?.time else { return .free(above: 0) }
    var times = min(first, last)...last
    if messages.count > 2 {
      // The wrong clock of one sender must not decide.
      let middle = messages.map(\.time).sorted()[messages.count / 2]
      times = middle...middle
    }
    return .free(above: try work.spanCount(below: times, isNews: false, in: id))
  }

  /// The anchor of a sync that may have omitted messages. News are above the end of the last sync even if a sender's clock is
  /// wrong.
  func forIncompleteSync(_ messages: [IncomingMessage], in id: ConversationID) throws -> SpanMap.PageAnchor {
    guard let first = messages.first?.time, let last = messages.last?.time else { return .free(above: 0) }
    let map = try work.spans(of: id)
    let synced = map.syncedTo.flatMap { end in map.spans.lastIndex { $0.lower <= end } }.map { $0 + 1 }
    let byTime = try work.spanCount(below: min(first, last)...last, isNews: true, in: id)
    return .free(above: max(synced ?? 0, byTime))
  }

  /// The anchor of a complete sync if no earlier sync is known to end in the conversation; nil if the sync continues an earlier
  /// one. Pages that begin after its messages are newer.
  func forFirstSync(_ messages: [IncomingMessage], in id: ConversationID) throws -> SpanMap.PageAnchor? {
    let map = try work.spans(of: id)
    guard map.syncedTo == nil, let last = messages.map(\.time).max() else { return nil }
    let newer = try map.spans.firstIndex { span in
      guard !span.upper.isEarlier else { return false }
      return try work.rows.firstMessage(of: id, from: span.lower, to: span.upper).map { $0.time > last }
        ?? false
    }
    return .free(above: newer ?? map.spans.count)
  }
}
