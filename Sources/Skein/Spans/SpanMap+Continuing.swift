/// Joins the spans of a conversation with those of the conversation that continues it.
extension SpanMap {
  /// The distance by which assigned places move so that they are above all places of another map, at least 1; 0 if one of the
  /// two maps has none.
  func shift(after other: SpanMap) -> Int64 {
    let first = spans.first { !$0.upper.isEarlier }
    guard hasHistory, other.hasHistory, let first, let last = other.newest else { return 0 }
    return max(last.upper.rawValue + Self.room - first.lower.rawValue, 1)
  }

  /// Returns the map with all places of the current epoch moved up.
  func shifted(by distance: Int64) -> SpanMap {
    let moved = spans.map { span in
      var span = span
      (span.lower, span.upper) = (span.lower.shifted(by: distance), span.upper.shifted(by: distance))
      return span
    }
    return SpanMap(spans: moved, syncedTo: syncedTo?.shifted(by: distance), isDense: isDense)
  }

  /// Returns the spans of both maps. If both have messages of the server, a gap of unknown size is between them, and the
  /// next sync follows the later one.
  ///
  /// - Parameter floor: the rank up to which the later conversation was cleared.
  func continued(by later: SpanMap, clearedUpTo floor: Rank) -> SpanMap {
    guard hasHistory else { return later.above(self) }
    guard later.hasHistory else { return above(later) }
    var whole = self
    for span in later.spans where !span.upper.isEarlier {
      var span = span
      // Older messages exist, unless they were cleared.
      span.reachesStart = span.reachesStart && span.lower == floor
      whole.insert(span)
    }
    return SpanMap(spans: whole.spans, syncedTo: later.syncedTo, isDense: isDense)
  }

  /// Returns the map without open gaps below spans that begin at or below a rank. The messages up to this rank were cleared,
  /// so that no page could fill such a gap.
  func closed(upTo floor: Rank) -> SpanMap {
    let closed = spans.map { span in
      var span = span
      if span.lower <= floor { span.reachesStart = true }
      return span
    }
    return SpanMap(spans: closed, syncedTo: syncedTo, isDense: isDense)
  }

  /// Whether there is a span of the current epoch that is more than the start of an empty conversation.
  private var hasHistory: Bool { spans.contains { !$0.upper.isEarlier && $0.upper.rawValue > 0 } }

  /// The width of the gap between the two conversations.
  private static var room: Int64 { 1 << 40 }
}

extension Rank {
  /// The place moved up. Unsent messages and those of earlier epochs stay where they are.
  func shifted(by distance: Int64) -> Rank {
    isUnsent || isEarlier ? self : Rank(rawValue: min(rawValue + distance, Rank.firstUnsent.rawValue - 1))
  }
}
