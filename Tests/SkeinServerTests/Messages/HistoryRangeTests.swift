import Testing

@testable import SkeinServer

struct HistoryRangeTests {
  private func range(_ anchor: HistoryRange.Anchor, _ limit: Int64, head: Int64) -> [Int64] {
    let range = HistoryRange(anchor, limit: limit, head: head)
    return range.first > range.last ? [] : [range.first, range.last]
  }

  @Test("In a conversation of a hundred messages, each anchor selects its range")
  func inside() {
    #expect(range(.newest, 10, head: 100) == [91, 100])
    #expect(range(.before(50), 10, head: 100) == [40, 49])
    #expect(range(.after(50), 10, head: 100) == [51, 60])
    #expect(range(.around(50), 10, head: 100) == [45, 54])
    #expect(range(.around(50), 1, head: 100) == [50, 50])
  }

  @Test("Near an edge, a range around a position is filled from the other side; other ranges are shorter")
  func edges() {
    #expect(range(.around(1), 10, head: 100) == [1, 10])
    #expect(range(.around(100), 10, head: 100) == [91, 100])
    #expect(range(.around(2), 10, head: 4) == [1, 4])
    #expect(range(.before(1), 10, head: 100) == [])
    #expect(range(.before(3), 10, head: 100) == [1, 2])
    #expect(range(.after(100), 10, head: 100) == [])
    #expect(range(.after(98), 10, head: 100) == [99, 100])
  }

  @Test(
    "Extreme positions give valid ranges",
    arguments: [Int64.min, Int64.min + 1, -1, 0, Int64.max - 1, Int64.max])
  func extremes(_ position: Int64) {
    for head: Int64 in [0, 1, 100] {
      for anchor in [HistoryRange.Anchor.before(position), .after(position), .around(position)] {
        let range = HistoryRange(anchor, limit: 200, head: head)
        #expect(range.first >= 1)
        #expect(range.last <= head)
      }
    }
  }

  @Test("A shortened page contains its anchor and has no hole")
  func budget() {
    let newest = HistoryRange(.newest, limit: 5, head: 5)
    #expect(newest.kept(sizes: [1, 1, 1, 1, 1], budget: 3) == 2..<5)
    let after = HistoryRange(.after(0), limit: 5, head: 5)
    #expect(after.kept(sizes: [1, 1, 1, 1, 1], budget: 3) == 0..<3)
    let around = HistoryRange(.around(3), limit: 5, head: 5)
    #expect(around.kept(sizes: [1, 1, 1, 1, 1], budget: 3) == 1..<4)
    #expect(around.kept(sizes: [1, 9, 1, 1, 1], budget: 3) == 2..<5)
    #expect(around.kept(sizes: [9, 9, 9, 9, 9], budget: 3) == 2..<3)
    #expect(around.kept(sizes: [], budget: 3) == 0..<0)
  }
}
