/// Where the messages of an answer come to stand.
///
/// A server that orders says so itself, and what it hands over is complete between the first and the last message. One that
/// does not hands over in its order, and all that is known is what the answer goes on from:
///
/// 1. What goes on from a span stands one by one beyond its edge, up to the next span. That one is reached where the answer
///    shows the edge of it that lies this way; any other message that is known is no meeting point.
/// 2. What goes on from nothing that is known stands by itself: above everything, or in the middle of the gap that its time
///    says, with room on both sides.
/// 3. What is known keeps its place. What turns up where everything was known stands with the edge that the answer shows.
extension SpanMap {
  /// What is known of a message before it is placed.
  enum PriorPlace: Sendable, Hashable {
    /// The server has ordered it.
    case ordered(Rank)
    /// It has its place here.
    case known(Rank)
    /// It has none yet.
    case new
    /// It is here as another message of the server's.
    case copy
  }

  /// What an answer goes on from.
  enum PageAnchor: Sendable, Hashable {
    /// From where the last sync ended.
    case sync
    /// It leads up to the first message of a span.
    case below(Rank)
    /// It goes on from the last message of a span.
    case above(Rank)
    /// From nothing that is known; by the server's time it stands above so many spans.
    case free(above: Int)

    var isFree: Bool { if case .free = self { true } else { false } }
  }

  /// Where the messages of an answer stand.
  struct Placement: Sendable, Equatable {
    /// One for each message; nil for one that is not meant.
    var ranks: [Rank?]
    /// Between what all is here then, with the spans that the answer reaches; nil where it does not say that.
    var stretch: ClosedRange<Rank>?
    /// Whether something is missing among the messages: all is here above it alone.
    var hasHole = false
    /// Whether the stretch ends where the answer does: paging goes on there as the answer says.
    var isOwnLower = true
    var isOwnUpper = true

    /// The same without what lies at or below a rank, but for that itself.
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
  /// - Parameter reachesStart: the server has nothing before them.
  /// - Returns: nil where no room is left.
  func place(_ answer: [PriorPlace], _ hold: PageAnchor, reachesStart: Bool = false) -> Placement? {
    if answer.contains(.copy) { return withoutCopies(answer, hold, reachesStart) }
    let ordered = answer.compactMap { if case .ordered(let rank) = $0 { rank } else { nil } }
    if ordered.count == answer.count { return place(ordered, hold, reachesStart) }
    let known = answer.map { standing -> Rank? in
      if case .known(let rank) = standing, span(containing: rank) != nil { rank } else { nil }
    }
    switch hold {
    case .sync:
      guard let syncedTo,
        let index = spans.firstIndex(where: { $0.lower <= syncedTo && syncedTo <= $0.upper })
      else { return stand(known, above: spans.count) }
      return grow(index, by: known, upFrom: known.lastIndex(of: spans[index].upper) ?? -1)
    case .below(let edge):
      guard let index = spans.firstIndex(where: { $0.lower == edge }) else { return nil }
      return grow(index, by: known, downFrom: known.firstIndex(of: edge) ?? known.count)
    case .above(let edge):
      guard let index = spans.firstIndex(where: { $0.upper == edge }) else { return nil }
      return grow(index, by: known, upFrom: known.lastIndex(of: edge) ?? -1)
    case .free(let index):
      return stand(known, above: index)
    }
  }

  private func withoutCopies(_ answer: [PriorPlace], _ hold: PageAnchor, _ reachesStart: Bool) -> Placement? {
    guard var placement = place(answer.filter { $0 != .copy }, hold, reachesStart: reachesStart) else {
      return nil
    }
    var ranks = placement.ranks[...]
    placement.ranks = answer.map { $0 == .copy ? nil : ranks.removeFirst() }
    return placement
  }

  // MARK: Servers that order

  private func place(_ ranks: [Rank], _ hold: PageAnchor, _ reachesStart: Bool) -> Placement {
    switch hold {
    case .sync, .free:
      // What stands below a hole comes again with what is missing there.
      let run = newestRun(of: ranks)
      return Placement(
        ranks: ranks.map { run?.contains($0) == true ? $0 : nil }, stretch: run,
        hasHole: run?.lowerBound != ranks.min())
    case .below(let edge):
      let meant = ranks.map { $0 < edge ? $0 : nil }
      guard let range = meant.compactMap(\.self).range else {
        return Placement(ranks: meant, stretch: edge...edge)
      }
      // Where positions are dense it shows whether the page reaches up to the edge.
      let hasHole = isDense && range.upperBound.successor < edge
      return Placement(ranks: meant, stretch: range.lowerBound...(hasHole ? range.upperBound : edge))
    case .above(let edge):
      let meant = ranks.map { $0 > edge ? $0 : nil }
      guard let range = meant.compactMap(\.self).range else {
        return Placement(ranks: meant, stretch: edge...edge, isOwnLower: false)
      }
      // A page that starts the server's history, above a message that is here, does not go on from it.
      let hasHole = isDense ? edge.successor < range.lowerBound : reachesStart && edge.rawValue > 0
      return Placement(ranks: meant, stretch: (hasHole ? range.lowerBound : edge)...range.upperBound)
    }
  }

  /// Where positions are dense a hole among them shows, whatever the server counts.
  private func newestRun(of ranks: [Rank]) -> ClosedRange<Rank>? {
    guard isDense, let last = ranks.max() else { return ranks.range }
    var start = last
    for rank in ranks.sorted().reversed() {
      guard rank.successor >= start else { break }
      start = rank
    }
    return start...last
  }

  // MARK: Servers that do not

  /// Places what comes before one message of an answer below a span, and what comes after another one above it.
  private func grow(_ index: Int, by known: [Rank?], downFrom first: Int? = nil, upFrom last: Int? = nil)
    -> Placement?
  {
    var ranks = known
    var down = Climb(
      from: spans[index].lower, spans[..<index].reversed().map { ($0.upper, $0.lower) }, by: -1)
    var up = Climb(from: spans[index].upper, spans[(index + 1)...].map { ($0.lower, $0.upper) }, by: 1)
    for place in (0..<(first ?? 0)).reversed() {
      guard let rank = down.next(known[place]) else { return nil }
      ranks[place] = rank
    }
    for place in known.indices.dropFirst(last.map { $0 + 1 } ?? known.count) {
      guard let rank = up.next(known[place]) else { return nil }
      ranks[place] = rank
    }
    let edge = first == nil ? spans[index].upper : spans[index].lower
    return Placement(
      ranks: ranks.map { $0 ?? edge }, stretch: down.reached...up.reached,
      isOwnLower: first != nil && !down.isInside, isOwnUpper: last != nil && !up.isInside)
  }

  /// Places an answer above a number of spans: at the edge that it shows of its neighbours, or by itself.
  private func stand(_ known: [Rank?], above index: Int) -> Placement? {
    for neighbour in [index - 1, index] where spans.indices.contains(neighbour) {
      let (lower, upper) = (spans[neighbour].lower, spans[neighbour].upper)
      let (first, last) = (known.firstIndex(of: lower), known.lastIndex(of: upper))
      if first != nil || last != nil { return grow(neighbour, by: known, downFrom: first, upFrom: last) }
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

  /// Where the first span of a conversation stands: ranks below 0 are not used, and those above end at 2⁶².
  private static var firstPlace: Int64 { 1 << 61 }
  /// How wide a new gap is.
  private static var width: Int64 { 1 << 40 }
  /// How many messages have room, at the least, on either side of what stands in a gap.
  private static var leastRoom: Int64 { 1 << 20 }
}

/// The way from the edge of a span, message by message, over the spans that the answer shows.
private struct Climb {
  /// How far everything is here.
  private(set) var reached: Rank
  /// Whether the way has led into a span, and not out of it.
  private(set) var isInside = false
  private var edge: Rank
  private let step: Int64
  /// What lies ahead, by its edge on this side and the one beyond, nearest last.
  private var ahead: [(near: Rank, far: Rank)]

  init(from edge: Rank, _ ahead: [(Rank, Rank)], by step: Int64) {
    (reached, self.edge, self.step) = (edge, edge, step)
    self.ahead = ahead.reversed()
  }

  /// The next message on the way: where it stands, or nil where no room is left.
  mutating func next(_ known: Rank?) -> Rank? {
    guard let known else {
      let rank = Rank(rawValue: edge.rawValue + step)
      guard rank != ahead.last?.near, (0..<Rank.firstUnsent.rawValue).contains(rank.rawValue) else {
        return nil
      }
      edge = rank
      if !isInside { reached = rank }
      return rank
    }
    if let next = ahead.last {
      if known == next.near { (reached, isInside) = (next.near, true) }
      if isInside, known == next.far {
        (reached, edge, isInside) = (next.far, next.far, false)
        ahead.removeLast()
      }
    }
    return known
  }
}

extension [Rank] {
  fileprivate var range: ClosedRange<Rank>? { self.min().flatMap { first in self.max().map { first...$0 } } }
}
