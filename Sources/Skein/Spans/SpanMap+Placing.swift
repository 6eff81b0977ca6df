/// Finds the places of the messages in an answer of the server.
///
/// A server with positions sends a position with each message. A page counts as complete between its first
/// and its last message. So does a sync, unless dense positions show a hole. Answers of other servers have
/// only an order and an anchor:
///
/// 1. The messages of an answer anchored at a span are placed one by one beyond the span's edge. If the
///    answer contains the message at the near edge of the next span, the two spans are joined. Other known
///    messages do not join the spans.
/// 2. An answer without a known anchor belongs above everything, or in the gap that fits its time. An answer
///    that contains an edge of a span next to this place extends that span. Any other answer is placed by
///    itself, with room on both sides.
/// 3. Known messages keep their places. New messages inside a span are placed just beyond the edge through which the answer
///    leaves or reaches that span. If a page contains both edges, they are placed beyond the one that is nearer in the page;
///    but above a span that is below the one from which the page is placed, since the server received them later.
extension SpanMap {
  /// The state of a message before it is placed.
  enum PriorPlace: Sendable, Hashable {
    /// The server sent the message's position.
    case ordered(Rank)
    /// The message already has a place.
    case known(Rank)
    /// The message has no place yet.
    case new
    /// The message gets no place here: it is a second copy, it is cleared, or it keeps a place that the caller knows.
    case leftOut
  }

  /// The known neighbour from which an answer continues.
  enum PageAnchor: Sendable, Hashable {
    /// The end of the last sync.
    case sync
    /// The answer ends before the first message of a span.
    case below(Rank)
    /// The answer begins after the last message of a span.
    case above(Rank)
    /// The answer has no known neighbour, and belongs above this number of spans.
    case free(above: Int)

    var isFree: Bool { if case .free = self { true } else { false } }
  }

  /// The places of an answer's messages.
  struct Placement: Sendable, Equatable {
    /// One rank for each message; nil for a message that is left out.
    var ranks: [Rank?]
    /// The range that is complete after the answer is stored, including the spans that the answer reaches.
    /// Nil if the answer does not determine the range.
    var stretch: ClosedRange<Rank>?
    /// Whether a message is missing within the answer, so that only the part above the hole is complete.
    var hasHole = false
    /// Whether the range begins where the answer begins, so that the answer's token for paging back and its
    /// `reachesStart` apply.
    var isOwnLower = true
    /// Whether the range ends at the answer's last message, so that the answer's token for paging forward
    /// applies.
    var isOwnUpper = true

    /// Returns the placement without the messages at or below a rank. A range that contains the rank then begins at
    /// the rank; a range below the rank becomes nil.
    func above(_ floor: Rank) -> Placement {
      var part = self
      part.ranks = ranks.map { rank in rank.flatMap { $0 > floor ? $0 : nil } }
      guard let stretch, stretch.lowerBound <= floor else { return part }
      part.stretch = stretch.upperBound < floor ? nil : floor...stretch.upperBound
      part.isOwnLower = false
      return part
    }
  }

  /// Places the messages of an answer, given in ascending order.
  ///
  /// - Parameters:
  ///   - reachesStart: whether the server has no message before the answer.
  ///   - isNews: whether the answer is a sync. Its new messages belong above all that was stored before.
  /// - Returns: the places; nil if there is no room, or if no span has the anchor's edge.
  func place(
    _ answer: [PriorPlace], _ anchor: PageAnchor, reachesStart: Bool = false, isNews: Bool = false
  ) -> Placement? {
    if answer.contains(.leftOut) { return withoutLeftOut(answer, anchor, reachesStart, isNews) }
    let ordered = answer.compactMap { if case .ordered(let rank) = $0 { rank } else { nil } }
    if ordered.count == answer.count { return place(ordered, anchor, reachesStart) }
    let known = answer.map { place -> Rank? in
      if case .known(let rank) = place, span(containing: rank) != nil { rank } else { nil }
    }
    switch anchor {
    case .sync:
      guard let syncedTo,
        let index = spans.firstIndex(where: { $0.lower <= syncedTo && syncedTo <= $0.upper })
      else { return stand(known, above: spans.count, isNews) }
      // A sync from the beginning also contains messages that were received before the end of the last sync.
      return grow(
        index, by: known, downFrom: known.firstIndex(of: spans[index].lower),
        upFrom: known.lastIndex(of: spans[index].upper) ?? -1, isNews: isNews)
    case .below(let edge):
      guard let index = spans.firstIndex(where: { $0.lower == edge }) else { return nil }
      return grow(index, by: known, downFrom: known.firstIndex(of: edge) ?? known.count)
    case .above(let edge):
      guard let index = spans.firstIndex(where: { $0.upper == edge }) else { return nil }
      return grow(index, by: known, upFrom: known.lastIndex(of: edge) ?? -1)
    case .free(let index):
      return stand(known, above: index, isNews)
    }
  }

  private func withoutLeftOut(
    _ answer: [PriorPlace], _ anchor: PageAnchor, _ reachesStart: Bool, _ isNews: Bool
  ) -> Placement? {
    guard
      var placement = place(
        answer.filter { $0 != .leftOut }, anchor, reachesStart: reachesStart, isNews: isNews)
    else { return nil }
    var ranks = placement.ranks[...]
    placement.ranks = answer.map { $0 == .leftOut ? nil : ranks.removeFirst() }
    return placement
  }

  // MARK: Servers with positions

  private func place(_ ranks: [Rank], _ anchor: PageAnchor, _ reachesStart: Bool) -> Placement {
    switch anchor {
    case .sync, .free:
      // Messages below a hole are left out. They are received again together with the missing messages.
      let run = newestRun(of: ranks)
      return Placement(
        ranks: ranks.map { run?.contains($0) == true ? $0 : nil }, stretch: run,
        hasHole: run?.lowerBound != ranks.min())
    case .below(let edge):
      let meant = ranks.map { $0 < edge ? $0 : nil }
      guard let range = meant.compactMap(\.self).range else {
        return Placement(ranks: meant, stretch: edge...edge)
      }
      // With dense positions the page shows whether it reaches the edge.
      let hasHole = isDense && range.upperBound.successor < edge
      return Placement(ranks: meant, stretch: range.lowerBound...(hasHole ? range.upperBound : edge))
    case .above(let edge):
      let meant = ranks.map { $0 > edge ? $0 : nil }
      guard let range = meant.compactMap(\.self).range else {
        return Placement(ranks: meant, stretch: edge...edge, isOwnLower: false)
      }
      // A page that begins at the start of the server's history does not adjoin a stored message below the
      // page.
      let hasHole = isDense ? edge.successor < range.lowerBound : reachesStart && edge.rawValue > 0
      return Placement(ranks: meant, stretch: (hasHole ? range.lowerBound : edge)...range.upperBound)
    }
  }

  /// The range above the last hole in the answer. Only dense positions show holes; the server's counts do not.
  private func newestRun(of ranks: [Rank]) -> ClosedRange<Rank>? {
    guard isDense, let last = ranks.max() else { return ranks.range }
    var start = last
    for rank in ranks.sorted().reversed() {
      guard rank.successor >= start else { break }
      start = rank
    }
    return start...last
  }

  // MARK: Servers without positions

  /// Extends a span by an answer.
  ///
  /// - Parameters:
  ///   - first: the index of the span's first message; nil places no message below the span.
  ///   - last: the index of the span's last message; nil places no message above the span.
  private func grow(
    _ index: Int, by known: [Rank?], downFrom first: Int? = nil, upFrom last: Int? = nil, isNews: Bool = false
  ) -> Placement? {
    var ranks = known
    var down = Climb(
      from: spans[index].lower, spans[..<index].reversed().map { ($0.upper, $0.lower) }, by: -1,
      through: known)
    var up = Climb(
      from: spans[index].upper, spans[(index + 1)...].map { ($0.lower, $0.upper) }, by: 1, through: known)
    // New messages before this index are placed below the span, the others above it.
    let split =
      switch (first, last) {
      case (nil, _): 0
      // News are above the span, and nothing that must be shown is below a span that reaches the start.
      case (let first?, _) where isNews || spans[index].reachesStart: first
      case (_, nil): known.count
      case (let first?, let last?): max(first, (first + last + 1) / 2)
      }
    // Known messages inside the span are passed on as well: if the server reorders its history, the edge of another span may
    // be among them.
    if first != nil {
      for place in known.indices.reversed() where known[place] != nil || place < split {
        guard let rank = down.next(at: place) else { return nil }
        ranks[place] = rank
      }
    }
    // An answer without the span's last message does not adjoin the spans above it.
    for place in known.indices where known[place] == nil ? place >= split : last != nil {
      guard let rank = up.next(at: place) else { return nil }
      ranks[place] = rank
    }
    return Placement(
      ranks: ranks, stretch: down.reached...up.reached,
      isOwnLower: first != nil && !down.isInside, isOwnUpper: last != nil && !up.isInside)
  }

  /// Places an answer above a number of spans: next to a neighbouring span whose edge the answer contains, or by
  /// itself.
  private func stand(_ known: [Rank?], above index: Int, _ isNews: Bool) -> Placement? {
    for neighbour in [index - 1, index] where spans.indices.contains(neighbour) {
      let (lower, upper) = (spans[neighbour].lower, spans[neighbour].upper)
      let (first, last) = (known.firstIndex(of: lower), known.lastIndex(of: upper))
      if first != nil || last != nil {
        return grow(neighbour, by: known, downFrom: first, upFrom: last, isNews: isNews)
      }
    }
    let count = Int64(known.count { $0 == nil })
    guard count > 0 else {
      return Placement(
        ranks: known, stretch: known.last?.map { $0...$0 }, isOwnLower: false, isOwnUpper: false)
    }
    let below = index > 0 && !spans[index - 1].upper.isEarlier ? spans[index - 1].upper.rawValue : nil
    let above = index < spans.count ? spans[index].lower.rawValue : nil
    var place: Int64
    switch (below, above) {
    case (nil, nil): place = Self.firstPlace
    case (let below?, nil): place = min(below + Self.width, Rank.firstUnsent.rawValue - 1 - count)
    case (nil, let above?): place = above - Self.width - count
    case (let below?, let above?): place = below + (above - below - count) / 2
    }
    let room = min(place - (below ?? 0), (above ?? .max) - place - count)
    guard above == nil || room >= Self.leastRoom else { return nil }
    let first = Rank(rawValue: place)
    let ranks = known.map { rank in
      if let rank { return rank }
      defer { place += 1 }
      return Rank(rawValue: place)
    }
    return Placement(ranks: ranks, stretch: first...Rank(rawValue: place - 1))
  }

  /// The place of a conversation's first span: the middle of the ranks that are used, which are 0 to 2⁶².
  private static var firstPlace: Int64 { 1 << 61 }
  /// The width of a new gap.
  private static var width: Int64 { 1 << 40 }
  /// The minimum room, in messages, on either side of an answer placed in a gap.
  private static var leastRoom: Int64 { 1 << 20 }
}

/// Places messages one by one from the edge of a span, across the spans that the answer contains.
private struct Climb {
  /// The rank up to which everything is stored.
  private(set) var reached: Rank
  /// Whether the answer has entered a span, but has not reached the far edge of this span yet.
  private(set) var isInside = false
  /// On the way up, the index in the page after which new messages are beyond the far edge of the entered span. Nil outside
  /// of a span, and if the page does not contain that edge. On the way down, new messages inside a span came later than it.
  private var middle: Int?
  private let page: [Rank?]
  /// The known messages so far. A server that reorders its history may list the edges of spans in any order.
  private var known: Set<Rank> = []
  private var edge: Rank
  private let step: Int64
  /// The spans ahead, each with the edge on this side and the far edge. The nearest span is the last element.
  private var ahead: [(near: Rank, far: Rank)]

  init(from edge: Rank, _ ahead: [(Rank, Rank)], by step: Int64, through page: [Rank?]) {
    (reached, self.edge, self.step, self.page) = (edge, edge, step, page)
    self.ahead = ahead.reversed()
  }

  /// The place of the next message, given by its index in the page; nil if there is no room.
  mutating func next(at index: Int) -> Rank? {
    guard let place = page[index] else {
      if let middle, index > middle { passSpan() }
      let rank = Rank(rawValue: edge.rawValue + step)
      guard rank != ahead.last?.near, (0..<Rank.firstUnsent.rawValue).contains(rank.rawValue) else {
        return nil
      }
      edge = rank
      if !isInside { reached = rank }
      return rank
    }
    known.insert(place)
    while let next = ahead.last, known.contains(next.near) {
      if !isInside, step > 0 { middle = page.firstIndex(of: next.far).map { (index + $0) / 2 } }
      (reached, isInside) = (next.near, true)
      guard known.contains(next.far) else { break }
      passSpan()
    }
    return place
  }

  /// Goes on beyond the far edge of the entered span.
  private mutating func passSpan() {
    let far = ahead.removeLast().far
    (reached, edge, isInside, middle) = (far, far, false, nil)
  }
}

extension [Rank] {
  fileprivate var range: ClosedRange<Rank>? { self.min().flatMap { first in self.max().map { first...$0 } } }
}
