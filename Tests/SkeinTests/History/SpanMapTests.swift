import Testing

@testable import Skein

@Suite("The spans of a conversation")
struct SpanMapTests {
  func rank(_ value: Int64) -> Rank { Rank(rawValue: value) }

  /// `1-20*` reaches the start, `31-40(7)` has seven unread messages below it, `31-40(?)` an unknown number.
  func drawn(_ map: SpanMap) -> String {
    map.spans.map { span in
      let below = span.reachesStart ? "*" : span.unreadBelow.map { "(\($0))" } ?? "(?)"
      return "\(span.lower.rawValue)-\(span.upper.rawValue)\(below)"
    }.joined(separator: " ")
  }

  @Test("Contiguous syncs make one span grow")
  func growth() {
    var map = SpanMap(isDense: true)
    map.synced(
      first: rank(1), last: rank(3), isComplete: true, reachesStart: true, token: nil, unreadBelow: nil)
    map.synced(
      first: rank(4), last: rank(9), isComplete: true, reachesStart: false, token: nil, unreadBelow: nil)
    #expect(drawn(map) == "1-9*")
  }

  @Test("A sync that hands over the newest only leaves a gap, and paging closes it")
  func gap() {
    var map = SpanMap(isDense: true)
    map.synced(
      first: rank(1), last: rank(10), isComplete: true, reachesStart: true, token: nil, unreadBelow: nil)
    map.synced(
      first: rank(41), last: rank(60), isComplete: false, reachesStart: false, token: nil, unreadBelow: 30)
    #expect(drawn(map) == "1-10* 41-60(30)")
    map.paged(below: rank(41), first: rank(21), reachesStart: false, token: nil, unread: 20)
    #expect(drawn(map) == "1-10* 21-60(10)")
    map.paged(below: rank(21), first: rank(1), reachesStart: true, token: nil, unread: 10)
    #expect(drawn(map) == "1-60*")
    #expect(map.unreadInGaps.count == 0)
  }

  @Test("On sparse positions spans touch only where an answer overlaps them")
  func sparse() {
    var map = SpanMap(isDense: false)
    map.synced(
      first: rank(10), last: rank(20), isComplete: false, reachesStart: false, token: nil, unreadBelow: 5)
    map.paged(first: rank(21), last: rank(30), reachesStart: false, token: nil)
    #expect(drawn(map) == "10-20(5) 21-30(?)")
    map.synced(
      first: rank(25), last: rank(40), isComplete: true, reachesStart: false, token: nil, unreadBelow: nil)
    #expect(drawn(map) == "10-40(5)")
  }

  @Test("A contiguous sync goes on from where the last one ended, not from the newest page")
  func syncAfterJump() {
    var map = SpanMap(isDense: true)
    map.synced(
      first: rank(1), last: rank(100), isComplete: true, reachesStart: true, token: nil, unreadBelow: nil)
    map.paged(first: rank(131), last: rank(150), reachesStart: false, token: nil)
    #expect(drawn(map) == "1-100* 131-150(?)")
    map.synced(
      first: rank(101), last: rank(150), isComplete: true, reachesStart: false, token: nil, unreadBelow: nil)
    #expect(drawn(map) == "1-150*")
  }

  @Test("After a sync that counted messages and handed over none, the next ones stand behind a gap")
  func nothingHandedOver() {
    var map = SpanMap(isDense: true)
    map.synced(
      first: rank(1), last: rank(5), isComplete: true, reachesStart: true, token: nil, unreadBelow: nil)
    map.syncedNothing()
    map.synced(
      first: rank(9), last: rank(9), isComplete: true, reachesStart: false, token: nil, unreadBelow: nil)
    #expect(drawn(map) == "1-5* 9-9(?)")
  }

  @Test("Reading up to a message empties the gaps below it and no others")
  func reading() {
    var map = SpanMap(isDense: true)
    map.synced(
      first: rank(51), last: rank(60), isComplete: false, reachesStart: false, token: nil, unreadBelow: 50)
    map.synced(
      first: rank(91), last: rank(99), isComplete: false, reachesStart: false, token: nil, unreadBelow: 30)
    map.read(upTo: rank(60))
    #expect(drawn(map) == "51-60(0) 91-99(30)")
    map.countUnread(inGaps: 12)
    #expect(drawn(map) == "51-60(0) 91-99(12)")
  }

  @Test("The span at a place is the newest that starts at or below it")
  func place() {
    var map = SpanMap(isDense: true)
    map.paged(first: rank(1), last: rank(10), reachesStart: true, token: nil)
    map.paged(first: rank(21), last: rank(30), reachesStart: false, token: nil)
    #expect(map.span(at: .highest)?.lower == rank(21))
    #expect(map.span(at: rank(15))?.lower == rank(1))
    #expect(map.span(containing: rank(15)) == nil)
    #expect(map.span(at: rank(0)) == nil)
  }
}
