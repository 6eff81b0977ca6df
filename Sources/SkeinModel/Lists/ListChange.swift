/// The exact steps from one list to the next, as needed by a collection view's batch update.
///
/// 1. Remove `deletions` and the moves' origins: indexes of the old list.
/// 2. Insert `insertions` and the moves' destinations in rising order: indexes of the new list.
/// 3. Refresh `updates`: indexes of the new list.
public struct ListChange: Sendable, Hashable {
  /// A move of one item.
  public struct Move: Sendable, Hashable {
    /// The item's index in the old list.
    public let from: Int
    /// The item's index in the new list.
    public let to: Int
    /// Creates a move.
    public init(from: Int, to: Int) {
      self.from = from
      self.to = to
    }
  }
  /// Indexes of the old list, rising.
  public var deletions: [Int] = []
  /// Indexes of the new list, rising.
  public var insertions: [Int] = []
  /// The moves that bring the items of both lists into their new order, by rising destination.
  public var moves: [Move] = []
  /// The items of both lists that have new values: indexes of the new list, rising.
  public var updates: [Int] = []
  /// Creates an empty change.
  public init() {}

  /// Whether the change has no steps, because the lists are equal.
  public var isEmpty: Bool {
    deletions.isEmpty && insertions.isEmpty && moves.isEmpty && updates.isEmpty
  }

  /// Applies the steps to an array; the items of the new list come from `snapshot`. O(n) for each item that is
  /// removed or inserted.
  @inlinable
  public func apply<Item>(to items: inout [Item], from snapshot: some RandomAccessCollection<Item>) {
    func new(_ index: Int) -> Item { snapshot[snapshot.index(snapshot.startIndex, offsetBy: index)] }
    for index in (deletions + moves.map(\.from)).sorted(by: >) { items.remove(at: index) }
    for index in (insertions + moves.map(\.to)).sorted() { items.insert(new(index), at: index) }
    for index in updates { items[index] = new(index) }
  }
}
