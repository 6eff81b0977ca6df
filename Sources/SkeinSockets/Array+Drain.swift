extension Optional {
  /// The value, leaving `nil` behind.
  mutating func take() -> Wrapped? {
    defer { self = nil }
    return self
  }
}

extension Array {
  /// The elements, leaving none behind.
  mutating func take() -> [Element] {
    defer { self = [] }
    return self
  }
}
