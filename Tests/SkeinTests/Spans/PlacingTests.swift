import Testing

@testable import Skein

@Suite("Placing messages")
struct PlacingTests {
  /// Spans by their ends.
  private func map(_ ends: (Int64, Int64)..., syncedTo: Int64? = nil) -> SpanMap {
    SpanMap(
      spans: ends.map { lower, upper in
        Span(
          lower: Rank(rawValue: lower), upper: Rank(rawValue: upper), reachesStart: false, lowerToken: nil,
          unreadBelow: nil)
      }, syncedTo: syncedTo.map { Rank(rawValue: $0) }, isDense: false)
  }

  /// The placement of an answer: `+` is a message without a place, a number the rank of a message with a
  /// place, and `=` a copy of a stored message.
  ///
  /// `999 (999 - 1010]`: the ranks, then the range. At an end with a parenthesis, the range ends where the
  /// answer ends.
  private func placed(_ answer: String, _ hold: SpanMap.PageAnchor, _ map: SpanMap) -> String {
    let standings = answer.split(separator: " ").map { word in
      word == "=" ? SpanMap.PriorPlace.leftOut : Int64(word).map { .known(Rank(rawValue: $0)) } ?? .new
    }
    let placement = map.place(standings, hold)
    guard let placement else { return "no room" }
    let ranks = placement.ranks.map { $0.map { "\($0.rawValue)" } ?? "-" }.joined(separator: " ")
    guard let stretch = placement.stretch else { return ranks }
    let ends = (placement.isOwnLower ? "(" : "[", placement.isOwnUpper ? ")" : "]")
    return "\(ranks) \(ends.0)\(stretch.lowerBound.rawValue) - \(stretch.upperBound.rawValue)\(ends.1)"
  }

  private func below(_ rank: Int64) -> SpanMap.PageAnchor { .below(Rank(rawValue: rank)) }
  private func free(_ above: Int) -> SpanMap.PageAnchor { .free(above: above) }
  private func above(_ rank: Int64) -> SpanMap.PageAnchor { .above(Rank(rawValue: rank)) }

  @Test("Messages of a sync are placed in order above those of the previous sync")
  func sync() {
    let one = map((100, 110), syncedTo: 110)
    #expect(placed("+ + +", .sync, one) == "111 112 113 [100 - 113)")
    // A page was ahead of the sync.
    #expect(placed("109 110 +", .sync, map((100, 110), syncedTo: 108)) == "109 110 111 [100 - 111)")
    let two = map((100, 110), (200, 205), syncedTo: 110)
    #expect(placed("+ +", .sync, two) == "111 112 [100 - 112)")
    #expect(placed("+ 200 201", .sync, two) == "111 200 201 [100 - 200]")
    #expect(placed("+ 200 205 +", .sync, two) == "111 200 205 206 [100 - 206)")
    #expect(placed("+ 203 +", .sync, two) == "111 203 112 [100 - 112)")
    // A sync from the beginning fills the gap below the span that the last sync reached.
    let below = map((100, 110), (200, 205), syncedTo: 205)
    #expect(placed("100 110 + 200 205 +", .sync, below) == "100 110 199 200 205 206 (100 - 206)")
  }

  @Test("A page of older messages is placed in order directly below the span for which it was requested")
  func belowSpan() {
    let two = map((100, 110), (1000, 1010))
    #expect(placed("+ + +", below(1000), two) == "997 998 999 (997 - 1010]")
    #expect(placed("1000", below(1000), two) == "1000 (1000 - 1010]")
  }

  @Test("A page joins the span below only at the upper edge of that span")
  func neighbour() {
    let two = map((100, 110), (1000, 1010))
    #expect(placed("109 110 + +", below(1000), two) == "109 110 998 999 [110 - 1010]")
    #expect(placed("110", below(1000), two) == "110 [110 - 1010]")
    #expect(placed("105 + +", below(1000), two) == "105 998 999 (998 - 1010]")
    #expect(placed("100 + +", below(1000), two) == "100 998 999 (998 - 1010]")
    let three = map((100, 110), (500, 510), (1000, 1010))
    #expect(placed("110 + +", below(1000), three) == "110 998 999 (998 - 1010]")
    #expect(placed("+ 110 + 500 510 +", below(1000), three) == "498 110 499 500 510 999 [110 - 1010]")
  }

  @Test("A message that the server has twice does not join spans")
  func copies() {
    let two = map((100, 110), (1000, 1010))
    #expect(placed("= + = +", below(1000), two) == "- 998 - 999 (998 - 1010]")
    #expect(placed("110 = +", below(1000), two) == "110 - 999 [110 - 1010]")
  }

  @Test("A page that contains the whole span below its own span continues below that span")
  func pastNeighbour() {
    let two = map((100, 102), (1000, 1010))
    #expect(placed("+ + 100 101 102 +", below(1000), two) == "98 99 100 101 102 999 (98 - 1010]")
    #expect(placed("+ 100 + 102 +", below(1000), two) == "99 100 998 102 999 (99 - 1010]")
    let single = map((100, 100), (1000, 1010))
    #expect(placed("+ 100 +", below(1000), single) == "99 100 999 (99 - 1010]")
  }

  @Test("A new message that a page lists below a span's edge is placed above the edge")
  func twoOrders() {
    let two = map((100, 110), (1000, 1010))
    #expect(placed("109 + 110 +", below(1000), two) == "109 998 110 999 [110 - 1010]")
  }

  @Test("A page that continues a span is placed between that span and the next")
  func aboveSpan() {
    let two = map((100, 110), (1000, 1010))
    #expect(placed("+ +", above(110), two) == "111 112 [100 - 112)")
    #expect(placed("+ 1000 1001", above(110), two) == "111 1000 1001 [100 - 1000]")
    #expect(placed("+ 1005", above(110), two) == "111 1005 [100 - 111)")
  }

  @Test("Messages that continue no span are placed above all others, with room for missing ones")
  func alone() {
    let width: Int64 = 1 << 40
    let start: Int64 = 1 << 61
    #expect(placed("+ +", free(0), map()) == "\(start) \(start + 1) (\(start) - \(start + 1))")
    #expect(placed("+", free(1), map((100, 110))) == "\(110 + width) (\(110 + width) - \(110 + width))")
    #expect(
      placed("105 +", free(1), map((100, 110))) == "105 \(110 + width) (\(110 + width) - \(110 + width))")
    #expect(placed("+ +", .sync, map()) == placed("+ +", free(0), map()))
    #expect(placed("101 102", free(1), map((100, 110))) == "101 102 [102 - 102]")
  }

  @Test("An answer that contains the edge of a span extends the span from that edge")
  func shownEdge() {
    #expect(placed("110 +", free(1), map((100, 110))) == "110 111 [100 - 111)")
    #expect(placed("+ 100 101", free(1), map((100, 110))) == "99 100 101 (99 - 110]")
    #expect(placed("+ 100 110 +", free(1), map((100, 110))) == "99 100 110 111 (99 - 111)")
    #expect(placed("110 + 1000", free(1), map((100, 110), (1000, 1010))) == "110 111 1000 [100 - 1000]")
  }

  @Test("The messages of a jump are placed in the middle of their gap, or not at all if the gap has no room")
  func middle() {
    let width: Int64 = 1 << 40
    let two = map((100, 110), (110 + width, 120 + width))
    let middle = 110 + (width - 2) / 2
    #expect(placed("+ +", free(1), two) == "\(middle) \(middle + 1) (\(middle) - \(middle + 1))")
    #expect(placed("+", free(1), map((100, 110), (2000, 2010))) == "no room")
    let first = map((width * 4, width * 5))
    #expect(placed("+", free(0), first) == "\(width * 3 - 1) (\(width * 3 - 1) - \(width * 3 - 1))")
    #expect(placed("+", free(0), map((100, 110))) == "no room")
  }

  @Test(
    "Messages that do not fit between two spans are not placed, and a span missing from the answer is not joined"
  )
  func room() {
    let two = map((100, 110), (112, 120), syncedTo: 110)
    #expect(placed("+", .sync, two) == "111 [100 - 111)")
    #expect(placed("+ +", .sync, two) == "no room")
    #expect(placed("+ +", below(112), two) == "no room")
  }

  @Test(
    "A new message inside a complete span is placed just beyond the edge of the span that the answer contains"
  )
  func inside() {
    #expect(placed("+ 110 +", .sync, map((100, 110), syncedTo: 105)) == "111 110 112 [100 - 112)")
  }

  @Test("If the server reorders its history, an answer may contain the edges of spans in any order")
  func reordered() {
    let two = map((100, 102), (200, 205))
    #expect(placed("+ 102 101 100 +", below(200), two) == "99 102 101 100 199 (99 - 205]")
    #expect(placed("102 + 200 +", below(200), two) == "102 198 200 199 [102 - 205]")
    let three = map((100, 100), (150, 152), (200, 205))
    #expect(placed("+ 150 100 152", below(200), three) == "99 150 100 152 (99 - 205]")
  }

  @Test("If the server sends positions, only the positions determine the places")
  func ordered() {
    let sparse = map((100, 110), (200, 210), syncedTo: 110)
    let ranks = [Rank(rawValue: 150), Rank(rawValue: 205), Rank(rawValue: 300)]
    for hold in [SpanMap.PageAnchor.sync, free(1), above(110)] {
      let placement = sparse.place(ranks.map { .ordered($0) }, hold)
      #expect(placement?.ranks == ranks)
    }
    let page = sparse.place(ranks.map { .ordered($0) }, below(200))
    #expect(
      page?.ranks == [ranks[0], nil, nil] && page?.stretch == Rank(rawValue: 150)...Rank(rawValue: 200))
  }

  @Test(
    "With dense positions, messages below a hole in the answer are not placed until a page fills the hole")
  func hole() {
    let ranks = [10, 13, 16, 17].map { Rank(rawValue: $0) }
    for hold in [SpanMap.PageAnchor.sync, free(0)] {
      let placement = SpanMap(isDense: true).place(ranks.map { .ordered($0) }, hold)
      #expect(placement?.ranks == [nil, nil, ranks[2], ranks[3]])
      #expect(placement?.stretch == ranks[2]...ranks[3] && placement?.hasHole == true)
    }
  }

  @Test("Cleared messages are not placed, and the range of an answer begins at the last cleared message")
  func floor() {
    let answer: [SpanMap.PriorPlace] = [.new, .known(Rank(rawValue: 100)), .new]
    let placement = map((100, 100), (1000, 1010)).place(answer, below(1000))
    let above = placement?.above(Rank(rawValue: 100))
    #expect(above?.ranks == [nil, nil, Rank(rawValue: 999)])
    #expect(above?.stretch == Rank(rawValue: 100)...Rank(rawValue: 1010) && above?.isOwnLower == false)
  }
}
