/// Keeps a list sorted and free of duplicates, and returns exactly how each operation changed the list.
///
/// 1. Each item is in the list once, by its `id`, at its place in the order.
/// 2. The returned change lists exactly the steps from the old snapshot to the new snapshot.
/// 3. A change of k items costs O(k log n) in a list of n items.
///
/// ```swift
/// var list = ChatDataManager<ChatMessage>(sortedBy: { ($0.time, $0.id) < ($1.time, $1.id) })
/// let change = list.insert([message])   // for the newest message: change.insertions == [list.snapshot.count - 1]
/// ```
public struct ChatDataManager<Item: Identifiable & Equatable & Sendable>: Sendable where Item.ID: Sendable {
  /// The current list.
  public private(set) var snapshot = ListSnapshot<Item>()
  private var items: [Item.ID: Item] = [:]
  private let areInOrder: @Sendable (Item, Item) -> Bool

  /// Creates an empty list.
  ///
  /// - Parameter areInOrder: whether the first item comes before the second item. This must be a strict total
  ///   order: of two different items, one always comes before the other item.
  public init(sortedBy areInOrder: @escaping @Sendable (Item, Item) -> Bool) {
    self.areInOrder = areInOrder
  }

  /// The item with an id, if it is in the list. O(1).
  public func item(_ id: Item.ID) -> Item? { items[id] }

  /// The index of the item with an id. O(log n).
  public func index(of id: Item.ID) -> Int? {
    items[id].map { snapshot.lowerBound(of: $0, by: areInOrder) }
  }

  /// Inserts items, and replaces the items that have the same ids.
  @discardableResult
  public mutating func insert(_ new: [Item]) -> ListChange { apply(inserting: new, deleting: []) }

  /// Replaces items that are in the list. Ignores items that are not in the list.
  @discardableResult
  public mutating func update(_ new: [Item]) -> ListChange {
    apply(inserting: new.filter { items[$0.id] != nil }, deleting: [])
  }

  /// Removes items.
  @discardableResult
  public mutating func delete(_ ids: [Item.ID]) -> ListChange { apply(inserting: [], deleting: ids) }

  /// Removes all items. O(n).
  @discardableResult
  public mutating func removeAll() -> ListChange {
    var change = ListChange()
    change.deletions = Array(snapshot.indices)
    snapshot = ListSnapshot()
    items = [:]
    return change
  }

  /// Removes and inserts items as one change. An item whose id is in both arguments stays in the list, or is
  /// inserted.
  @discardableResult
  public mutating func apply(inserting new: [Item], deleting ids: [Item.ID]) -> ListChange {
    let plan = plan(inserting: new, deleting: ids)
    guard !plan.isEmpty else { return ListChange() }
    if snapshot.isEmpty {
      snapshot.tree = ChunkTree(plan.inserted.sorted(by: areInOrder))
      var change = ListChange()
      change.insertions = Array(snapshot.indices)
      return change
    }

    for (index, item) in plan.replaced { snapshot.tree.replace(at: index, with: item) }
    for index in (plan.deleted + plan.relocated.map(\.from)).sorted(by: >) { snapshot.tree.remove(at: index) }
    for item in (plan.inserted + plan.relocated.map(\.item)).sorted(by: areInOrder) {
      snapshot.tree.insert(item, at: snapshot.lowerBound(of: item, by: areInOrder))
    }
    return change(of: plan)
  }

  // MARK: Planning

  private struct Plan {
    /// The old indexes of the removed items.
    var deleted: [Int] = []
    var inserted: [Item] = []
    /// Items with a new value in the same place of the order, each with the item's old index.
    var replaced: [(Int, Item)] = []
    /// Items whose new value has another place in the order.
    var relocated: [(from: Int, item: Item)] = []
    var isEmpty: Bool { deleted.isEmpty && inserted.isEmpty && replaced.isEmpty && relocated.isEmpty }
  }

  private mutating func plan(inserting new: [Item], deleting ids: [Item.ID]) -> Plan {
    var plan = Plan()
    var last: [Item.ID: Int] = [:]
    for (index, item) in new.enumerated() { last[item.id] = index }
    for id in ids where last[id] == nil {
      guard let index = index(of: id) else { continue }
      plan.deleted.append(index)
      last[id] = -1
    }
    for (index, item) in new.enumerated() where last[item.id] == index {
      guard let present = items[item.id] else {
        plan.inserted.append(item)
        continue
      }
      guard present != item else { continue }
      let place = snapshot.lowerBound(of: present, by: areInOrder)
      if areInOrder(present, item) || areInOrder(item, present) {
        plan.relocated.append((place, item))
      } else {
        plan.replaced.append((place, item))
      }
    }
    for id in ids where last[id] == -1 { items[id] = nil }
    for (index, item) in new.enumerated() where last[item.id] == index { items[item.id] = item }
    return plan
  }

  // MARK: Describing the change

  private func change(of plan: Plan) -> ListChange {
    func newIndex(_ item: Item) -> Int { snapshot.lowerBound(of: item, by: areInOrder) }
    var change = ListChange()
    change.deletions = plan.deleted.sorted()
    change.insertions = plan.inserted.map(newIndex).sorted()
    let relocated = plan.relocated.map { ListChange.Move(from: $0.from, to: newIndex($0.item)) }
      .sorted { $0.to < $1.to }
    change.moves = moves(among: relocated, deletions: change.deletions, insertions: change.insertions)
    change.updates = (plan.replaced.map { newIndex($0.1) } + relocated.map(\.to)).sorted()
    return change
  }

  /// The moves to report, among the items whose place in the order has changed.
  ///
  /// Most items keep their places in the order. The items whose places have changed are examined in the order
  /// of the new list. Such an item needs no move if two conditions hold:
  ///
  /// 1. In both lists, old and new, the same number of items that keep their places come before this item.
  /// 2. In the old list, this item comes after the last examined item that needs no move.
  private func moves(
    among relocated: [ListChange.Move], deletions: [Int], insertions: [Int]
  ) -> [ListChange.Move] {
    guard !relocated.isEmpty else { return [] }
    let gone = (deletions + relocated.map(\.from)).sorted()
    let come = (insertions + relocated.map(\.to)).sorted()
    var lastStayed = -1
    return relocated.filter { move in
      let before = move.from - count(of: gone, below: move.from)
      let after = move.to - count(of: come, below: move.to)
      guard before == after, move.from > lastStayed else { return true }
      lastStayed = move.from
      return false
    }
  }

  private func count(of sorted: [Int], below limit: Int) -> Int {
    var low = 0, high = sorted.count
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle] < limit { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
