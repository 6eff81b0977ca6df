extension Array where Element: Sendable {
  /// Transforms the elements with at most `limit` transformations at a time; the results have the order of the
  /// elements. Throws the first error, after all transformations have ended.
  func mapConcurrently<Value: Sendable>(
    limit: Int, _ transform: @escaping @Sendable (Element) async throws -> Value
  ) async throws -> [Value] {
    return try await withThrowingTaskGroup(of: (Int, Value).self) { group in
      defer { group.cancelAll() }
      var results: [Int: Value] = [:]
      for (index, element) in enumerated() {
        if index >= Swift.max(limit, 1), let (done, value) = try await group.next() { results[done] = value }
        group.addTask { (index, try await transform(element)) }
      }
      for try await (done, value) in group { results[done] = value }
      return indices.compactMap { results[$0] }
    }
  }
}
