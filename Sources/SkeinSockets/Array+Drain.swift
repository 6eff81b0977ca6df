extension Array {
  /// Removes all elements and returns them.
  mutating func drain() -> [Element] {
    defer { self = [] }
    return self
  }
}
