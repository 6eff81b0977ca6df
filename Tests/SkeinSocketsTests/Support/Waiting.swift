import Testing

/// Waits until `condition` returns a value; fails the test on timeout.
func eventually<Value>(
  _ what: Comment, within limit: Duration = .seconds(20), sourceLocation: SourceLocation = #_sourceLocation,
  _ condition: () async throws -> Value?
) async throws -> Value {
  let deadline = ContinuousClock.now + limit
  while ContinuousClock.now < deadline {
    if let value = try await condition() { return value }
    await Task.yield()
  }
  let value: Value? = nil
  return try #require(value, what, sourceLocation: sourceLocation)
}

/// Waits until `condition` is true; fails the test on timeout.
func eventually(
  _ what: Comment, within limit: Duration = .seconds(20), sourceLocation: SourceLocation = #_sourceLocation,
  holds condition: () async throws -> Bool
) async throws {
  try await eventually(what, within: limit, sourceLocation: sourceLocation) {
    try await condition() ? () : nil
  }
}
