/// The exact steps from one list to the next, as a collection view's batch update takes them.
///
/// Take away `deletions` and the moves' origins (indexes of the old list), put in `insertions` and the moves'
/// destinations in rising order (indexes of the new list), then refresh `updates` (indexes of the new list).
public struct ListChange: Sendable, Hashable {
  /// One item's way through a change.
  public struct Move: Sendable, Hashable {
    /// Its index in the old list.
    public let from: Int
    /// Its index in the new list.
    public let to: Int
    /// One item's way.
    public init(from: Int, to: Int) {
      self.from = from
      self.to = to
    }
  }
  /// Indexes of the old list, rising.
  public var deletions: [Int] = []
  /// Indexes of the new list, rising.
  public var insertions: [Int] = []
  /// Items that stand elsewhere among those that stayed, by rising destination.
  public var moves: [Move] = []
  /// Items that stayed or moved, and are not the same any more: indexes of the new list, rising.
  public var updates: [Int] = []
  /// Nothing to do.
  public init() {}

  /// Whether nothing is different.
  public var isEmpty: Bool {
    deletions.isEmpty && insertions.isEmpty && moves.isEmpty && updates.isEmpty
  }

  /// Takes the steps on a plain array; the new list's items come from `snapshot`. O(n).
  public func apply<Item>(to items: inout [Item], from snapshot: some RandomAccessCollection<Item>) {
    func new(_ index: Int) -> Item { snapshot[snapshot.index(snapshot.startIndex, offsetBy: index)] }
    for index in (deletions + moves.map(\.from)).sorted(by: >) { items.remove(at: index) }
    for index in (insertions + moves.map(\.to)).sorted() { items.insert(new(index), at: index) }
    for index in updates { items[index] = new(index) }
  }
}
