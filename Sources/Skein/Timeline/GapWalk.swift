/// Decides whether another page is needed before the pages of a gap can be stored, on a server without positions.
///
/// The message at the far edge of a gap ends the gap, but if a page ends exactly at this message, messages of the same moment
/// may follow. One more page is fetched then.
///
/// If the server reorders its history, missing messages may be among stored ones:
///
/// 1. Once paging has reached a stored stretch, pages are fetched until a whole page contains nothing new, or until paging has
///    left the stretch again.
/// 2. Once a page contains a message from beyond the gap, pages are fetched until the far edge is reached, so that the
///    stretch beyond the gap is placed as a whole. Paging to older messages may have begun below the far edge, which a sync
///    contained. It then also ends once three pages in a row contain nothing new, or once it has left the stretch.
/// 3. Before the far edge, a page may contain nothing new either, because its messages were fetched when another gap was
///    filled. Paging then continues. The same holds for a gap without a far edge, before the oldest message.
/// 4. Paging ends at the last cleared message: everything beyond it was cleared.
/// 5. Which messages were cleared in an earlier epoch is found by their times. Once paging has reached such a message, pages
///    are fetched until three in a row contain only such messages, since the last cleared one ends the stored history.
/// 6. A page that was not requested at the edge of a stretch needs no further page if all its messages are of one stretch.
struct GapWalk: Sendable {
  /// A stored stretch, with the edge at which paging reaches it and the edge at which paging leaves it.
  struct Stretch: Sendable, Equatable {
    let near: Rank
    let far: Rank
  }

  private enum Kind: Sendable {
    case ordered
    /// The server reorders its history; paging goes through a gap in a direction.
    case reordered(PagingDirection)
    /// The server reorders its history, and the first page was not requested at the edge of a span.
    case free
  }

  private let kind: Kind
  /// The rank of the message at the far edge of the gap; nil if the gap has no far edge, or is not known.
  private let edge: Rank?
  private let stretches: [Stretch]
  private let clearedUpTo: Rank
  /// The time up to which messages were cleared in an earlier epoch; nil if the last cleared message is known.
  private let clearedTime: Timestamp?
  /// The number of pages in a row that contain only cleared messages; nil before the first cleared message.
  private var clearedPages: Int?
  /// The known messages so far.
  private var known: Set<Rank> = []
  /// The number of pages in a row without anything new.
  private var quietPages = 0

  /// A walk through a gap to the message at its far edge.
  init(to edge: Rank) {
    (kind, self.edge, stretches, clearedUpTo, clearedTime) = (.ordered, edge, [], .lowest, nil)
  }

  /// A walk through a gap of a server that reorders its history.
  ///
  /// - Parameter stretches: the stored stretches beyond the gap.
  init(
    to edge: Rank?, _ direction: PagingDirection, beyond stretches: [Stretch], clearedUpTo: Rank,
    clearedTime: Timestamp? = nil
  ) {
    (kind, self.edge, self.stretches) = (.reordered(direction), edge, stretches)
    (self.clearedUpTo, self.clearedTime) = (clearedUpTo, clearedTime)
  }

  /// A walk on a server that reorders its history, from a page that was not requested at the edge of a span.
  init(fromPageTo stretches: [Stretch], clearedUpTo: Rank, clearedTime: Timestamp? = nil) {
    (kind, edge, self.stretches) = (.free, nil, stretches)
    (self.clearedUpTo, self.clearedTime) = (clearedUpTo, clearedTime)
  }

  /// Whether the pages so far do not join a stored stretch, and can be stored without the next page.
  var joinsNothing: Bool {
    guard case .reordered(let direction) = kind, clearedPages == nil else { return false }
    guard let edge else { return true }
    return !known.contains { direction == .older ? $0 <= edge : $0 >= edge }
  }

  /// Returns whether another page is needed.
  ///
  /// - Parameters:
  ///   - places: the ranks of the page's messages in the direction of paging; nil for a new message.
  ///   - times: the times of the page's messages.
  mutating func continues(after places: [Rank?], at times: [Timestamp]) -> Bool {
    if case .ordered = kind { return places.last == edge }
    let before = known
    known.formUnion(places.compactMap(\.self))
    if known.contains(clearedUpTo) { return false }
    if let clearedTime, clearedPages != nil || times.contains(where: { $0 <= clearedTime }) {
      let pages = times.allSatisfy { $0 <= clearedTime } ? (clearedPages ?? 0) + 1 : 0
      clearedPages = pages
      return pages < Self.leastQuietPages
    }
    quietPages = places.contains(nil) ? 0 : quietPages + 1
    let isNew = places.allSatisfy { $0 == nil }
    if let stretch = stretchEnteredInside {
      return quietPages < Self.leastQuietPages && !(isNew && known.contains(stretch.far))
    }
    // The newest page often contains nothing new. If it joins stretches, a message between them may still be missing.
    if case .free = kind, before.isEmpty, !places.contains(nil), isInOneStretch(places) { return false }
    let reached = stretches.filter { known.contains($0.near) }
    // A page that reaches a stretch is not a whole page beyond its edge.
    if reached.contains(where: { !before.contains($0.near) }) { return true }
    let hasNews = places.contains(nil)
    guard reached.isEmpty else {
      let hasLeft = isNew && reached.allSatisfy { known.contains($0.far) }
      return hasNews && !hasLeft
    }
    guard case .reordered = kind else { return false }
    return !hasNews || !joinsNothing
  }

  private static var leastQuietPages: Int { 3 }

  private func isInOneStretch(_ places: [Rank?]) -> Bool {
    stretches.contains { stretch in
      let range = min(stretch.near, stretch.far)...max(stretch.near, stretch.far)
      return places.allSatisfy { $0.map(range.contains) ?? false }
    }
  }

  /// The stretch beyond the gap, if paging to older messages has met messages of it, but not the far edge of the gap.
  private var stretchEnteredInside: Stretch? {
    guard case .reordered(.older) = kind, let edge, !known.contains(edge),
      let stretch = stretches.first(where: { $0.near == edge })
    else { return nil }
    return known.contains { stretch.far <= $0 && $0 < edge } ? stretch : nil
  }
}
