import Skein

/// One step of a list. Steps apply in order: an index refers to the list after the previous step.
enum ListStep<Item: Sendable>: Sendable {
  case inserted(Item, at: Int, isMove: Bool)
  /// With `isMove`, the item is inserted again at another index within the same update.
  case removed(Item, at: Int, isMove: Bool)
  case changed(from: Item, to: Item, at: Int)

  /// The inserted or removed item; after a change, the new version of the item.
  var subject: Item {
    switch self {
    case .inserted(let item, _, _), .removed(let item, _, _), .changed(_, let item, _): item
    }
  }

  /// The item at the index after the step; nil after a removal.
  var item: Item? {
    switch self {
    case .inserted(let item, _, _), .changed(_, let item, _): item
    case .removed: nil
    }
  }
}

/// Follows a list by its published changes, and breaks each change into steps.
struct ListFollower<Item: Identifiable & Sendable> {
  private(set) var items: [Item] = []

  /// Applies one update and returns its steps.
  mutating func apply(_ update: ListUpdate<Item>) -> [ListStep<Item>] {
    let change = update.change
    let moved = Dictionary(
      change.moves.map { ($0.to, items[$0.from]) }, uniquingKeysWith: { first, _ in first })
    let origins = Set(change.moves.map(\.from))
    var steps: [ListStep<Item>] = []
    for index in (change.deletions + change.moves.map(\.from)).sorted(by: >) {
      steps.append(.removed(items.remove(at: index), at: index, isMove: origins.contains(index)))
    }
    for index in (change.insertions + change.moves.map(\.to)).sorted() {
      let item = moved[index] ?? update.snapshot[index]
      items.insert(item, at: index)
      steps.append(.inserted(item, at: index, isMove: moved[index] != nil))
    }
    for index in change.updates {
      let old = items[index]
      items[index] = update.snapshot[index]
      steps.append(.changed(from: old, to: items[index], at: index))
    }
    return steps
  }
}
