import Synchronization

/// A bounded queue from the service thread to one reading task.
///
/// 1. The queue pauses receiving above its high mark and resumes receiving at its low mark, so a slow reader
///    does not fill the memory.
/// 2. A successful end is returned after the queued elements; a failure is thrown at once.
final class Inbox<Element: Sendable>: Sendable {
  private struct State {
    var queue: [Element] = []
    var head = 0
    var cost = 0
    var isPaused = false
    var end: Result<Void, any Error>?
    var reader: CheckedContinuation<Element?, any Error>?

    mutating func popFirst() -> Element? {
      guard head < queue.count else { return nil }
      let element = queue[head]
      head += 1
      if head == queue.count || head > 64 {
        queue.removeFirst(head)
        head = 0
      }
      return element
    }
  }

  private enum Step {
    case give(Result<Element?, any Error>, resumes: Bool)
    case wait
  }

  private let state = Mutex(State())
  private let highMark: Int
  private let lowMark: Int
  private let cost: @Sendable (Element) -> Int
  private let resume: @Sendable () -> Void

  /// - Parameter resume: called from any thread when a paused inbox has room again.
  init(
    highMark: Int = 256 << 10, lowMark: Int = 64 << 10, cost: @escaping @Sendable (Element) -> Int,
    resume: @escaping @Sendable () -> Void
  ) {
    self.highMark = highMark
    self.lowMark = lowMark
    self.cost = cost
    self.resume = resume
  }

  var isPaused: Bool { state.withLock { $0.isPaused } }

  /// Adds an element, unless the queue has ended; returns `true` if the caller must pause until `resume` is
  /// called.
  func put(_ element: Element) -> Bool {
    let (reader, pauses) = state.withLock { state -> (CheckedContinuation<Element?, any Error>?, Bool) in
      guard state.end == nil else { return (nil, false) }
      if let reader = state.reader.take() { return (reader, false) }
      state.queue.append(element)
      state.cost += cost(element)
      if state.cost > highMark { state.isPaused = true }
      return (nil, state.isPaused)
    }
    reader?.resume(returning: element)
    return pauses
  }

  /// Ends the queue; only the first call has an effect.
  func end(_ result: Result<Void, any Error> = .success(())) {
    let reader = state.withLock { state -> CheckedContinuation<Element?, any Error>? in
      guard state.end == nil else { return nil }
      state.end = result
      return state.reader.take()
    }
    reader?.resume(with: result.map { nil })
  }

  /// Returns the next element; `nil` at the end.
  func next() async throws -> Element? {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let step = state.withLock { state -> Step in
          // A failure takes precedence over cancellation.
          if case .failure(let error) = state.end { return .give(.failure(error), resumes: false) }
          if Task.isCancelled { return .give(.failure(CancellationError()), resumes: false) }
          if let element = state.popFirst() {
            state.cost -= cost(element)
            let resumes = state.isPaused && state.cost <= lowMark
            if resumes { state.isPaused = false }
            return .give(.success(element), resumes: resumes)
          }
          if let end = state.end { return .give(end.map { nil }, resumes: false) }
          if state.reader != nil {
            return .give(.failure(SocketError(.alreadyReading, "Another task is reading.")), resumes: false)
          }
          state.reader = continuation
          return .wait
        }
        guard case .give(let result, let resumes) = step else { return }
        if resumes { resume() }
        continuation.resume(with: result)
      }
    } onCancel: {
      state.withLock { $0.reader.take() }?.resume(throwing: CancellationError())
    }
  }
}
