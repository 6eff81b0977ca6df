/// The loaded messages and gaps of one chat, as an unchanging snapshot.
public typealias MessageList = ListSnapshot<MessageListItem>

/// A snapshot of a list.
///
/// Taking a snapshot costs nothing, and keeping it costs little: later versions share all chunks that did not change.
/// Access to an item is O(log n).
public struct ListSnapshot<Item: Sendable>: RandomAccessCollection, Sendable {
  var tree = ChunkTree<Item>()

  /// The empty list.
  public init() {}

  /// Always 0.
  public var startIndex: Int { 0 }
  /// The number of items.
  public var endIndex: Int { tree.count }
  /// The item at an index, which must be within the list.
  public subscript(index: Int) -> Item { tree[index] }

  /// The first index whose item does not come before `item`, in a list sorted by `areInOrder`.
  func lowerBound(of item: Item, by areInOrder: (Item, Item) -> Bool) -> Int {
    var low = 0, high = count
    while low < high {
      let middle = (low + high) / 2
      if areInOrder(tree[middle], item) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
