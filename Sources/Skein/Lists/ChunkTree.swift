/// A sequence stored as a tree of small chunks; copies share the chunks that have not changed.
///
/// Copying costs O(1). A later change duplicates only the changed chunk and its ancestors, O(log n).
struct ChunkTree<Element: Sendable>: Sendable {
  private static var chunkSize: Int { 32 }

  private indirect enum Node: Sendable {
    case leaf([Element])
    /// `ends` contains, for each child, the number of elements up to the end of that child.
    case branch([Node], ends: [Int])

    var count: Int {
      switch self {
      case .leaf(let elements): elements.count
      case .branch(_, let ends): ends.last ?? 0
      }
    }

    /// The number of elements of a leaf, or of children of a branch.
    var slots: Int {
      switch self {
      case .leaf(let elements): elements.count
      case .branch(let children, _): children.count
      }
    }
  }

  private var root: Node = .leaf([])

  init() {}

  /// Builds the tree from all its elements, in full chunks. O(n).
  init(_ elements: [Element]) {
    func groups(_ count: Int) -> [Range<Int>] {
      stride(from: 0, to: count, by: Self.chunkSize).map { $0..<Swift.min($0 + Self.chunkSize, count) }
    }
    var nodes = groups(elements.count).map { Node.leaf(Array(elements[$0])) }
    while nodes.count > 1 { nodes = groups(nodes.count).map { Self.branch(nodes[$0]) } }
    root = nodes.first ?? .leaf([])
  }

  var count: Int { root.count }

  subscript(index: Int) -> Element { Self.element(root, index) }

  mutating func replace(at index: Int, with element: Element) {
    Self.replace(&root, index, element)
  }

  mutating func insert(_ element: Element, at index: Int) {
    if let sibling = Self.insert(&root, element, index) { root = Self.branch([root, sibling]) }
  }

  @discardableResult
  mutating func remove(at index: Int) -> Element {
    let removed = Self.remove(&root, index)
    while case .branch(let children, _) = root, children.count == 1 { root = children[0] }
    return removed
  }

  // MARK: Finding

  /// The first child that ends after `index`, and the index within that child. If no child ends after
  /// `index`, the last child.
  private static func child(_ ends: [Int], at index: Int) -> (place: Int, rest: Int) {
    var low = 0, high = ends.count - 1
    while low < high {
      let middle = (low + high) / 2
      if ends[middle] > index { high = middle } else { low = middle + 1 }
    }
    return (low, low == 0 ? index : index - ends[low - 1])
  }

  private static func element(_ node: Node, _ index: Int) -> Element {
    switch node {
    case .leaf(let elements): return elements[index]
    case .branch(let children, let ends):
      let (place, rest) = child(ends, at: index)
      return element(children[place], rest)
    }
  }

  /// The elements of the leaf that contains an index, from this index on.
  private static func chunk(_ node: Node, _ index: Int) -> ArraySlice<Element> {
    switch node {
    case .leaf(let elements): return elements[index...]
    case .branch(let children, let ends):
      let (place, rest) = child(ends, at: index)
      return chunk(children[place], rest)
    }
  }

  // MARK: Changing
  // Each change first removes the node's arrays from the node, so that only shared chunks are copied.

  private static func replace(_ node: inout Node, _ index: Int, _ element: Element) {
    switch node {
    case .leaf(var elements):
      node = .leaf([])
      elements[index] = element
      node = .leaf(elements)
    case .branch(var children, let ends):
      node = .leaf([])
      let (place, rest) = child(ends, at: index)
      replace(&children[place], rest, element)
      node = .branch(children, ends: ends)
    }
  }

  /// Inserts an element. If the node has to be split, the node keeps the left part, and the right part is returned.
  private static func insert(_ node: inout Node, _ element: Element, _ index: Int) -> Node? {
    switch node {
    case .leaf(var elements):
      node = .leaf([])
      elements.insert(element, at: index)
      guard elements.count > chunkSize else {
        node = .leaf(elements)
        return nil
      }
      let middle = splitPoint(elements.count, index)
      node = .leaf(Array(elements[..<middle]))
      return .leaf(Array(elements[middle...]))
    case .branch(var children, var ends):
      node = .leaf([])
      let (place, rest) = child(ends, at: index)
      let sibling = insert(&children[place], element, rest)
      for later in place..<ends.count { ends[later] += 1 }
      guard let sibling else {
        node = .branch(children, ends: ends)
        return nil
      }
      ends.insert(ends[place] - sibling.count, at: place)
      children.insert(sibling, at: place + 1)
      guard children.count > chunkSize else {
        node = .branch(children, ends: ends)
        return nil
      }
      let middle = splitPoint(children.count, place)
      node = branch(children[..<middle])
      return branch(children[middle...])
    }
  }

  /// The index at which to split: in the middle, or two slots from an end if an element was added near that
  /// end. The chunks of a list built in order are therefore almost full.
  private static func splitPoint(_ count: Int, _ index: Int) -> Int {
    if index >= count - 2 { return count - 2 }
    if index <= 1 { return 2 }
    return count / 2
  }

  private static func branch(_ children: ArraySlice<Node>) -> Node {
    var end = 0
    let ends = children.map { child in
      end += child.count
      return end
    }
    return .branch(Array(children), ends: ends)
  }

  private static func remove(_ node: inout Node, _ index: Int) -> Element {
    switch node {
    case .leaf(var elements):
      node = .leaf([])
      let removed = elements.remove(at: index)
      node = .leaf(elements)
      return removed
    case .branch(var children, var ends):
      node = .leaf([])
      let (place, rest) = child(ends, at: index)
      let removed = remove(&children[place], rest)
      for later in place..<ends.count { ends[later] -= 1 }
      join(&children, &ends, at: place)
      node = .branch(children, ends: ends)
      return removed
    }
  }

  /// Joins a child that has become small with its left neighbour. The first child is joined with its right
  /// neighbour. If both do not fit into one node, the nodes are not joined, and an empty child is removed.
  private static func join(_ children: inout [Node], _ ends: inout [Int], at place: Int) {
    guard children.count > 1, children[place].slots < chunkSize / 4 else { return }
    let left = place == 0 ? 0 : place - 1
    guard children[left].slots + children[left + 1].slots <= chunkSize else {
      if children[place].slots == 0 {
        children.remove(at: place)
        ends.remove(at: place)
      }
      return
    }
    switch (children[left], children[left + 1]) {
    case (.leaf(let one), .leaf(let two)): children[left] = .leaf(one + two)
    case (.branch(let one, _), .branch(let two, _)): children[left] = branch((one + two)[...])
    default: return
    }
    children.remove(at: left + 1)
    ends.remove(at: left)
  }
}

extension ChunkTree: RandomAccessCollection {
  var startIndex: Int { 0 }
  var endIndex: Int { count }

  /// Visits the elements chunk by chunk.
  struct Iterator: IteratorProtocol {
    fileprivate let tree: ChunkTree
    fileprivate var chunk: ArraySlice<Element> = []
    fileprivate var end = 0

    mutating func next() -> Element? {
      if chunk.isEmpty {
        guard end < tree.count else { return nil }
        chunk = ChunkTree.chunk(tree.root, end)
        end += chunk.count
      }
      return chunk.popFirst()
    }
  }

  func makeIterator() -> Iterator { Iterator(tree: self) }
}

extension ChunkTree: Equatable where Element: Equatable {
  static func == (one: Self, other: Self) -> Bool { one.elementsEqual(other) }
}
