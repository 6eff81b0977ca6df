/// The gaps of one conversation that are being filled; callers that fill the same gap share one page. Also remembers the gap
/// whose lower end needs no second reading.
actor GapFills {
  private let runtime: Runtime
  /// The last gap that was filled from below, if the messages just below it were fetched after those above it.
  private var gapWithCurrentEnd: SpanMap.OpenGap?
  private var underWay: [SpanMap.OpenGap: Task<Bool, any Error>] = [:]

  init(runtime: Runtime) { self.runtime = runtime }

  /// Fetches a page of a gap, or waits for the page that is being fetched. Returns the result of that fetch:
  /// false if the page contained nothing new.
  func fill(_ gap: SpanMap.OpenGap, _ fetch: @escaping @Sendable () async throws -> Bool) async throws
    -> Bool
  {
    if let task = underWay[gap] { return try await task.value }
    let task = runtime.spawn { try await self.run(gap, fetch) }
    underWay[gap] = task
    return try await task.value
  }

  /// Whether the messages just below a gap are known to be those that the server lists now.
  func isEndCurrent(below gap: SpanMap.OpenGap) -> Bool { gapWithCurrentEnd == gap }

  func noteEndIsCurrent(below gap: SpanMap.OpenGap) { gapWithCurrentEnd = gap }

  private func run(_ gap: SpanMap.OpenGap, _ fetch: @Sendable () async throws -> Bool) async throws -> Bool {
    defer { underWay[gap] = nil }
    return try await fetch()
  }
}
