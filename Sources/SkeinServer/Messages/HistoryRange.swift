/// The range of positions of a history page.
///
/// Positions are dense, so the range is plain arithmetic. No anchor causes an overflow, even if it is very large or
/// negative.
struct HistoryRange: Sendable, Equatable {
  /// The place at which a page is requested.
  enum Anchor: Sendable, Equatable {
    case newest
    case before(Int64)
    case after(Int64)
    case around(Int64)
  }

  /// The first and last position; `last` is below `first` for an empty range.
  let first: Int64, last: Int64
  /// The position that a shortened page must contain.
  let anchor: Int64
  /// The conversation's newest position.
  private let head: Int64

  /// The range of at most `limit` (0 or more) positions at an anchor, in a conversation with the newest
  /// position `head`.
  init(_ anchor: Anchor, limit: Int64, head: Int64) {
    self.head = head
    switch anchor {
    case .newest:
      (first, last, self.anchor) = (max(1, head - limit + 1), head, head)
    case .before(let position):
      last = min(max(position, 1), head + 1) - 1
      (first, self.anchor) = (max(1, last - limit + 1), last)
    case .after(let position):
      first = min(max(position, 0), head) + 1
      (last, self.anchor) = (min(head, first + limit - 1), first)
    case .around(let position):
      self.anchor = min(max(position, 1), max(head, 1))
      let lowest = max(1, head - limit + 1)
      first = min(max(1, self.anchor - limit / 2), lowest)
      last = min(head, first + limit - 1)
    }
  }

  /// Returns the indices of the messages that a page keeps, counted from `first`. The page always keeps the
  /// message at the anchor, even if this message exceeds the budget. From there, the range grows in each
  /// direction until the next message does not fit.
  func kept(sizes: [Int], budget: Int) -> Range<Int> {
    guard !sizes.isEmpty else { return 0..<0 }
    let middle = min(max(Int(anchor - first), 0), sizes.count - 1)
    var range = middle..<middle + 1
    var left = budget - sizes[middle]
    var lowerEnds = false, upperEnds = false
    while !(lowerEnds && upperEnds) {
      lowerEnds = lowerEnds || range.lowerBound == 0 || sizes[range.lowerBound - 1] > left
      if !lowerEnds {
        range = range.lowerBound - 1..<range.upperBound
        left -= sizes[range.lowerBound]
      }
      upperEnds = upperEnds || range.upperBound == sizes.count || sizes[range.upperBound] > left
      if !upperEnds {
        left -= sizes[range.upperBound]
        range = range.lowerBound..<range.upperBound + 1
      }
    }
    return range
  }

  /// Returns whether no message precedes a page. The page starts `dropped` positions after `first`.
  func reachesStart(dropped: Int) -> Bool { first + Int64(dropped) <= 1 }

  /// Returns whether no message follows a page. The page ends before index `end`, counted from `first`.
  func reachesEnd(end: Int) -> Bool { first + Int64(end) > head }
}
