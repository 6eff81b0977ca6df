import SkeinStorage

extension ReadTransaction {
  /// Returns the place of a conversation's first message that is not older than a time, if the spans
  /// determine this place.
  ///
  /// Assumes that within a span no message has an earlier time than the message before it. This is wrong if
  /// the server's clock was set back.
  func place(
    of time: Timestamp, in conversation: ConversationID, _ facts: HistoryFacts,
    _ passing: Set<SpanMap.OpenGap>
  ) throws -> TimePlace {
    var above: (first: MessageOrder, span: Span)?
    for span in facts.spans.spans.reversed() {
      // Missing messages of the current epoch may be older than stored messages of earlier epochs. The
      // missing messages must therefore be fetched before the earlier epochs are searched.
      if span.upper.isEarlier, let above, !above.span.reachesStart { break }
      guard let first = try firstMessage(of: conversation, from: span.lower, to: span.upper) else { continue }
      guard first.time < time else {
        above = (first.order, span)
        continue
      }
      if let found = try firstMessage(of: conversation, notBefore: time, in: span) {
        return .message(found.order)
      }
      break
    }
    guard let above else {
      if facts.isUnknown { return .missing(nil) }
      return .afterAll
    }
    // A gap of a chat that this account was removed from can't be filled.
    let gap = facts.isBound ? facts.spans.openGap(below: above.span.lower, passing: passing) : nil
    return gap?.upper == above.span.lower ? .missing(gap) : .message(above.first)
  }

  /// Finds the first message of a span that is not before a time, by binary search: the number of steps is at
  /// most the number of bits of a rank.
  private func firstMessage(of conversation: ConversationID, notBefore time: Timestamp, in span: Span) throws
    -> MessageRow?
  {
    var (low, high) = (span.lower.rawValue, span.upper.rawValue)
    while low < high {
      let middle = Rank(rawValue: low &+ Int64(UInt64(bitPattern: high &- low) / 2))
      let before = try lastMessage(of: conversation, from: Rank(rawValue: low), to: middle)
      if let before, before.time >= time { high = before.rank.rawValue } else { low = middle.rawValue + 1 }
    }
    let found = try firstMessage(of: conversation, from: Rank(rawValue: low), to: span.upper)
    return found.flatMap { $0.time >= time ? $0 : nil }
  }
}
