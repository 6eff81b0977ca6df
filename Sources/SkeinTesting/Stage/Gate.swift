/// Suspends its callers until it is opened.
final class Gate: Sendable {
  private let opened: AsyncStream<Never>
  private let opener: AsyncStream<Never>.Continuation

  init() { (opened, opener) = AsyncStream.makeStream() }

  func open() { opener.finish() }

  /// Returns when the gate is open or the task is cancelled.
  func wait() async { for await _ in opened {} }
}
