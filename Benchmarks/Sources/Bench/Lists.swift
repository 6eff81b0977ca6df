import Foundation
import Skein

/// Exact changes of a long list while a listener holds the last snapshot, against the standard library's
/// difference of two arrays.
struct Lists {
  private struct Item: Identifiable, Equatable, Sendable {
    let id: Int
    var text: String
  }

  func figures(_ counts: [Int]) throws -> [Figure] {
    try counts.map { count in
      var list = ChatDataManager<Item>(sortedBy: { $0.id < $1.id })
      list.insert((0..<count).map { Item(id: $0 * 2, text: "item \($0)") })
      var held = list.snapshot
      var times: [Double] = []
      for round in 0..<200 {
        let place = (round * 7919) % count
        let started = ContinuousClock.now
        let change = list.apply(
          inserting: [Item(id: place * 2 + 1, text: "new"), Item(id: place * 2, text: "changed \(round)")],
          deleting: [(place + 1) % count * 2])
        held = list.snapshot
        times.append((ContinuousClock.now - started).milliseconds * 1000)
        guard !change.insertions.isEmpty, held.count >= count - 200 else {
          throw BenchError("The list has lost an item.")
        }
        list.apply(
          inserting: [Item(id: (place + 1) % count * 2, text: "again")], deleting: [place * 2 + 1])
      }
      let plain = difference(of: Array(held))
      return Figure("list.change.\(count)", [times.percentile(0.5)], "µs", reference: plain)
    }
  }

  /// The microseconds in which the standard library finds one insertion, one change and one deletion.
  private func difference(of items: [Item]) -> Double {
    var changed = items
    changed[items.count / 2].text = "changed"
    changed.remove(at: items.count / 3)
    changed.insert(Item(id: -1, text: "new"), at: items.count / 4)
    let started = ContinuousClock.now
    let found = changed.difference(from: items)
    let elapsed = (ContinuousClock.now - started).milliseconds * 1000
    return found.isEmpty ? 0 : elapsed
  }
}
