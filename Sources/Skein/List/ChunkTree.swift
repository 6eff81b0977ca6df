/// A persistent sequence: a tree of small chunks that copies share.
///
/// Taking a copy costs nothing; a change afterwards copies the chunk it touches and the path to it, O(log n).
struct ChunkTree<Element: Sendable>: Sendable {
  private static var chunkSize: Int { 32 }

  private indirect enum Node: Sendable {
    case leaf([Element])
    case branch([Node], count: Int)

    var count: Int {
      switch self {
      case .leaf(let elements): elements.count
      case .branch(_, let count): count
      }
    }

    /// Elements of a leaf or children of a branch.
    var slots: Int {
      switch self {
      case .leaf(let elements): elements.count
      case .branch(let children, _): children.count
      }
    }
  }

  private var root: Node = .leaf([])

  var count: Int { root.count }

  subscript(index: Int) -> Element { Self.element(root, index) }

  mutating func replace(at index: Int, with element: Element) {
    Self.replace(&root, index, element)
  }

  mutating func insert(_ element: Element, at index: Int) {
    if let sibling = Self.insert(&root, element, index) {
      root = .branch([root, sibling], count: root.count + sibling.count)
    }
  }

  @discardableResult
  mutating func remove(at index: Int) -> Element {
    let removed = Self.remove(&root, index)
    while case .branch(let children, _) = root, children.count == 1 { root = children[0] }
    return removed
  }

  // MARK: Nodes

  private static func child(of children: [Node], at index: Int, forInsertion: Bool = false) -> (Int, Int) {
    var rest = index
    for (place, child) in children.enumerated() {
      let count = child.count
      if rest < count || (forInsertion && rest == count) { return (place, rest) }
      rest -= count
    }
    return (children.count - 1, rest + children[children.count - 1].count)
  }

  private static func element(_ node: Node, _ index: Int) -> Element {
    switch node {
    case .leaf(let elements): return elements[index]
    case .branch(let children, _):
      let (place, rest) = child(of: children, at: index)
      return element(children[place], rest)
    }
  }

  // Each change takes the node's array out of its place first, so that only shared chunks are copied.

  private static func replace(_ node: inout Node, _ index: Int, _ element: Element) {
    switch node {
    case .leaf(var elements):
      node = .leaf([])
      elements[index] = element
      node = .leaf(elements)
    case .branch(var children, let count):
      node = .leaf([])
      let (place, rest) = child(of: children, at: index)
      replace(&children[place], rest, element)
      node = .branch(children, count: count)
    }
  }

  /// Returns the right half where the node had to be split.
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
    case .branch(var children, let count):
      node = .leaf([])
      let (place, rest) = child(of: children, at: index, forInsertion: true)
      if let sibling = insert(&children[place], element, rest) {
        children.insert(sibling, at: place + 1)
      }
      guard children.count > chunkSize else {
        node = .branch(children, count: count + 1)
        return nil
      }
      let middle = splitPoint(children.count, place)
      node = branch(children[..<middle])
      return branch(children[middle...])
    }
  }

  /// In the middle, but near an end where elements arrive at that end, so that a list built in order is full.
  private static func splitPoint(_ count: Int, _ index: Int) -> Int {
    if index >= count - 2 { return count - 2 }
    if index <= 1 { return 2 }
    return count / 2
  }

  private static func branch(_ children: ArraySlice<Node>) -> Node {
    .branch(Array(children), count: children.reduce(0) { $0 + $1.count })
  }

  private static func remove(_ node: inout Node, _ index: Int) -> Element {
    switch node {
    case .leaf(var elements):
      node = .leaf([])
      let removed = elements.remove(at: index)
      node = .leaf(elements)
      return removed
    case .branch(var children, let count):
      node = .leaf([])
      let (place, rest) = child(of: children, at: index)
      let removed = remove(&children[place], rest)
      join(&children, at: place)
      node = .branch(children, count: count - 1)
      return removed
    }
  }

  /// Joins a child that has become small with a neighbour that has room.
  private static func join(_ children: inout [Node], at place: Int) {
    guard children.count > 1, children[place].slots < chunkSize / 4 else { return }
    let left = place == 0 ? 0 : place - 1
    guard children[left].slots + children[left + 1].slots <= chunkSize else {
      if children[place].slots == 0 { children.remove(at: place) }
      return
    }
    switch (children[left], children[left + 1]) {
    case (.leaf(let one), .leaf(let two)): children[left] = .leaf(one + two)
    case (.branch(let one, let count), .branch(let two, let more)):
      children[left] = .branch(one + two, count: count + more)
    default: return
    }
    children.remove(at: left + 1)
  }
}
