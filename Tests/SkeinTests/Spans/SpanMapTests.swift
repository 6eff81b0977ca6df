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

  @Test("Contiguous syncs extend one span")
  func growth() {
    var map = SpanMap(isDense: true)
    map.synced(
      first: rank(1), last: rank(3), isComplete: true, reachesStart: true, token: nil, unreadBelow: nil)
    map.synced(
      first: rank(4), last: rank(9), isComplete: true, reachesStart: false, token: nil, unreadBelow: nil)
    #expect(drawn(map) == "1-9*")
  }

  @Test("A sync of only the newest messages leaves a gap, and paging closes it")
  func gap() {
    var map = SpanMap(isDense: true)
    map.synced(
      first: rank(1), last: rank(10), isComplete: true, reachesStart: true, token: nil, unreadBelow: nil)
    map.synced(
      first: rank(41), last: rank(60), isComplete: false, reachesStart: false, token: nil, unreadBelow: 30)
    #expect(drawn(map) == "1-10* 41-60(30)")
    map.paged(first: rank(21), last: rank(41), reachesStart: false, token: nil, unread: 20)
    #expect(drawn(map) == "1-10* 21-60(10)")
    map.paged(first: rank(1), last: rank(21), reachesStart: true, token: nil, unread: 10)
    #expect(drawn(map) == "1-60*")
    #expect(map.unreadInGaps.count == 0)
  }

  @Test(
    "With sparse positions, an overlap or a contiguous sync joins two spans, but adjacent positions do not")
  func sparse() {
    var map = SpanMap(isDense: false)
    map.synced(
      first: rank(10), last: rank(20), isComplete: false, reachesStart: false, token: nil, unreadBelow: 5)
    map.paged(first: rank(21), last: rank(30), reachesStart: false, token: nil, unread: 0)
    #expect(drawn(map) == "10-20(5) 21-30(?)")
    map.synced(
      first: rank(25), last: rank(40), isComplete: true, reachesStart: false, token: nil, unreadBelow: nil)
    #expect(drawn(map) == "10-40(5)")
  }

  @Test("In a chat that was found empty, no gap remains below a page that reaches the start of the history")
  func emptyOnce() {
    var map = SpanMap(isDense: false)
    map.foundEmpty()
    map.synced(
      first: rank(40), last: rank(60), isComplete: false, reachesStart: false, token: nil, unreadBelow: 3)
    #expect(drawn(map) == "0-0* 40-60(3)")
    map.paged(first: rank(20), last: rank(40), reachesStart: true, token: nil, unread: 3)
    #expect(drawn(map) == "0-60*")
  }

  @Test("A contiguous sync continues the previous sync, not the newest page")
  func syncAfterJump() {
    var map = SpanMap(isDense: true)
    map.synced(
      first: rank(1), last: rank(100), isComplete: true, reachesStart: true, token: nil, unreadBelow: nil)
    map.paged(first: rank(131), last: rank(150), reachesStart: false, token: nil, unread: 0)
    #expect(drawn(map) == "1-100* 131-150(?)")
    map.synced(
      first: rank(101), last: rank(150), isComplete: true, reachesStart: false, token: nil, unreadBelow: nil)
    #expect(drawn(map) == "1-150*")
  }

  @Test("If a sync returns a count but no messages, there is a gap before the messages of the next sync")
  func nothingHandedOver() {
    var map = SpanMap(isDense: true)
    map.synced(
      first: rank(1), last: rank(5), isComplete: true, reachesStart: true, token: nil, unreadBelow: nil)
    map.syncedNothing()
    map.synced(
      first: rank(9), last: rank(9), isComplete: true, reachesStart: false, token: nil, unreadBelow: nil)
    #expect(drawn(map) == "1-5* 9-9(?)")
  }

  @Test("Reading up to a message resets only the unread counts of the gaps below that message")
  func reading() {
    var map = SpanMap(isDense: true)
    map.synced(
      first: rank(51), last: rank(60), isComplete: false, reachesStart: false, token: nil, unreadBelow: 50)
    map.synced(
      first: rank(91), last: rank(99), isComplete: false, reachesStart: false, token: nil, unreadBelow: 30)
    map.read(upTo: rank(60))
    #expect(drawn(map) == "51-60(0) 91-99(30)")
    map.countUnread(inGaps: 12, after: rank(60))
    #expect(drawn(map) == "51-60(0) 91-99(12)")
  }

  @Test(
    "If older gaps have more unread messages than the server's total, their counts are reduced, oldest first")
  func readInPart() {
    var map = SpanMap(isDense: false)
    map.synced(
      first: rank(31), last: rank(40), isComplete: false, reachesStart: false, token: nil, unreadBelow: 15)
    map.synced(
      first: rank(61), last: rank(70), isComplete: false, reachesStart: false, token: nil, unreadBelow: 4)
    map.synced(
      first: rank(91), last: rank(99), isComplete: false, reachesStart: false, token: nil, unreadBelow: 8)
    map.countUnread(inGaps: 11, after: .lowest)
    #expect(drawn(map) == "31-40(7) 61-70(4) 91-99(0)")
    map.countUnread(inGaps: 3, after: .lowest)
    #expect(drawn(map) == "31-40(0) 61-70(3) 91-99(0)")
  }

  @Test("When a gap closes with fewer unread messages than expected, the rest moves to another gap")
  func closedEarly() {
    var map = SpanMap(isDense: false)
    map.synced(
      first: rank(1), last: rank(10), isComplete: true, reachesStart: true, token: nil, unreadBelow: nil)
    map.synced(
      first: rank(31), last: rank(40), isComplete: false, reachesStart: false, token: nil, unreadBelow: 2)
    map.synced(
      first: rank(61), last: rank(70), isComplete: false, reachesStart: false, token: nil, unreadBelow: 4)
    map.paged(first: rank(10), last: rank(31), reachesStart: false, token: nil, unread: 1)
    #expect(drawn(map) == "1-40* 61-70(5)")
  }

  @Test("Unread messages that do not fit into the newest gap move to the next older gap")
  func overflow() {
    var map = SpanMap(isDense: true)
    map.synced(
      first: rank(1), last: rank(29), isComplete: true, reachesStart: true, token: nil, unreadBelow: nil)
    map.synced(
      first: rank(32), last: rank(43), isComplete: false, reachesStart: false, token: nil, unreadBelow: 0)
    map.synced(
      first: rank(45), last: rank(67), isComplete: false, reachesStart: false, token: nil, unreadBelow: 1)
    map.countUnread(inGaps: 2, after: rank(29))
    #expect(drawn(map) == "1-29* 32-43(1) 45-67(1)")
  }

  @Test("Messages of an older gap that were read elsewhere do not reduce the count of the newest gap")
  func readElsewhere() {
    var map = SpanMap(isDense: true)
    map.synced(
      first: rank(10), last: rank(21), isComplete: true, reachesStart: false, token: nil, unreadBelow: nil)
    map.synced(
      first: rank(28), last: rank(31), isComplete: false, reachesStart: false, token: nil, unreadBelow: 1)
    map.synced(
      first: rank(40), last: rank(49), isComplete: false, reachesStart: false, token: nil, unreadBelow: 3)
    map.countUnread(inGaps: 3, after: rank(30))
    #expect(drawn(map) == "10-21(0) 28-31(0) 40-49(3)")
  }

  @Test("The next open gap in either direction is found from any place")
  func gapsOnTheWay() {
    var map = SpanMap(isDense: true)
    map.paged(first: rank(1), last: rank(10), reachesStart: true, token: nil, unread: 0)
    map.paged(first: rank(21), last: rank(30), reachesStart: false, token: nil, unread: 0)
    map.paged(first: rank(41), last: rank(50), reachesStart: false, token: nil, unread: 0)
    let low = SpanMap.OpenGap(lower: rank(10), upper: rank(21))
    let high = SpanMap.OpenGap(lower: rank(30), upper: rank(41))
    #expect(map.openGap(below: .highest, passing: []) == high)
    #expect(map.openGap(below: rank(41), passing: []) == high)
    #expect(map.openGap(below: rank(40), passing: []) == low)
    #expect(map.openGap(below: rank(15), passing: []) == nil)
    #expect(map.openGap(above: .lowest, passing: []) == low)
    #expect(map.openGap(above: rank(10), passing: []) == low)
    #expect(map.openGap(above: rank(21), passing: []) == high)
    #expect(map.openGap(above: rank(41), passing: []) == nil)
    #expect(map.openGap(above: rank(10), passing: [low]) == high)
    #expect(map.openGap(below: .highest, passing: [low, high]) == nil)
  }

  @Test("The gap below all spans is also found from a place inside the gap")
  func gapBelowAll() {
    var map = SpanMap(isDense: true)
    #expect(map.openGap(below: .highest, passing: []) == nil)
    map.paged(first: rank(21), last: rank(30), reachesStart: false, token: nil, unread: 0)
    let gap = SpanMap.OpenGap(lower: nil, upper: rank(21))
    #expect(map.openGap(below: .lowest, passing: []) == gap)
    #expect(map.openGap(below: rank(25), passing: []) == gap)
    #expect(map.openGap(above: rank(5), passing: []) == gap)
  }

  @Test("Filling a gap from its older side also reduces its unread count")
  func fromBelow() {
    var map = SpanMap(isDense: true)
    map.paged(first: rank(1), last: rank(10), reachesStart: true, token: nil, unread: 0)
    map.synced(
      first: rank(41), last: rank(60), isComplete: false, reachesStart: false, token: nil, unreadBelow: 30)
    map.paged(first: rank(10), last: rank(25), reachesStart: false, token: nil, unread: 15)
    #expect(drawn(map) == "1-25* 41-60(15)")
    map.paged(first: rank(25), last: rank(40), reachesStart: false, token: nil, unread: 15)
    #expect(drawn(map) == "1-60*")
  }

  @Test("A page in the middle of a gap leaves a gap on each side, with unknown unread counts")
  func middle() {
    var map = SpanMap(isDense: true)
    map.paged(first: rank(1), last: rank(10), reachesStart: true, token: nil, unread: 0)
    map.synced(
      first: rank(91), last: rank(99), isComplete: false, reachesStart: false, token: nil, unreadBelow: 80)
    map.paged(first: rank(41), last: rank(50), reachesStart: false, token: nil, unread: 10)
    #expect(drawn(map) == "1-10* 41-50(?) 91-99(?)")
    map.countUnread(inGaps: 70, after: .lowest)
    map.paged(first: rank(51), last: rank(90), reachesStart: false, token: nil, unread: 40)
    #expect(drawn(map) == "1-10* 41-99(?)")
  }

  @Test(
    "If a page covers a whole span, the unread messages left in the gaps beside it count for the lower gap")
  func acrossSpan() {
    var map = SpanMap(isDense: true)
    map.synced(
      first: rank(21), last: rank(22), isComplete: false, reachesStart: false, token: nil, unreadBelow: 20)
    map.synced(
      first: rank(31), last: rank(40), isComplete: false, reachesStart: false, token: nil, unreadBelow: 8)
    map.paged(first: rank(16), last: rank(31), reachesStart: false, token: nil, unread: 13)
    #expect(drawn(map) == "16-40(15)")
  }

  @Test("A gap before the start of the server's history can't be filled")
  func trimmed() {
    var map = SpanMap(isDense: true)
    map.paged(first: rank(1), last: rank(10), reachesStart: true, token: nil, unread: 0)
    map.paged(first: rank(41), last: rank(50), reachesStart: false, token: nil, unread: 0)
    map.paged(first: rank(31), last: rank(41), reachesStart: true, token: nil, unread: 0)
    #expect(drawn(map) == "1-10* 31-50*")
    #expect(map.openGap(below: .highest, passing: []) == nil)
    #expect(map.openGap(above: rank(1), passing: []) == nil)
  }

  @Test("With dense positions, a sync that skips some leaves a gap, even if it claims to be complete")
  func skipped() {
    var map = SpanMap(isDense: true)
    map.synced(
      first: rank(1), last: rank(5), isComplete: true, reachesStart: true, token: nil, unreadBelow: nil)
    map.synced(
      first: rank(9), last: rank(12), isComplete: true, reachesStart: false, token: nil, unreadBelow: nil)
    #expect(drawn(map) == "1-5* 9-12(?)")
  }
}
