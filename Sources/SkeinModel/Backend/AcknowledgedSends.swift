import Synchronization

/// Writes one message to the connection. After an error, the message may have been written. The alias states
/// `@concurrent`, so the type is the same under all concurrency settings.
public typealias SendTransmission = @concurrent @Sendable () async throws -> Void

/// The cause of the ``BackendError`` that a send throws if it is not acknowledged in time.
public struct MissedAcknowledgement: Error, Sendable {
  fileprivate init() {}
}

/// Sends over one connection whose server acknowledges each message in a separate frame.
///
/// 1. A send ends when it is answered, its transmission fails, its deadline passes, the connection ends or its task
///    is cancelled.
/// 2. An answer, which is an ACK or a refusal, is matched by its key. Answers may arrive in any order, and an answer
///    that no send waits for has no effect.
/// 3. One timer serves all deadlines; it does not run while no send waits.
///
/// Create one instance for each connection, and report the ACKs, the refusals and the end of the connection to it.
public final class AcknowledgedSends<Key: Hashable & Sendable>: Sendable {
  private typealias Ticket = AckTable<Key>.Ticket
  private typealias Continuation = UnsafeContinuation<SendReceipt, any Error>

  private enum Waiter {
    /// Not suspended yet.
    case coming
    case suspended(Continuation)
    case answered(Result<SendReceipt, any Error>)
  }
  private struct State {
    var table = AckTable<Key>()
    var waiters: [Ticket: Waiter] = [:]
    var timer: (deadline: Duration, task: Task<Void, any Error>)?
    var end: (any Error)?
  }

  private let state = Mutex(State())
  private let runtime: Runtime

  /// Creates an instance that uses the clock and the tasks of a runtime.
  public init(_ runtime: Runtime) { self.runtime = runtime }

  /// Transmits a message and returns when the message is acknowledged.
  ///
  /// A message is transmitted even if another send waits under the same key; one answer then completes both sends.
  /// - Parameter limit: the longest time to wait, `transmit` included; `transmit` must end when its task is
  ///   cancelled.
  /// - Throws: at the deadline, `BackendError` with `transient`, an unknown outcome and
  ///   ``MissedAcknowledgement`` as its cause. Before the deadline, the error passed to ``refuse(_:_:)`` or
  ///   ``close(_:)``, the error that `transmit` throws, or `CancellationError`.
  public func send(
    _ key: Key, within limit: Duration, _ transmit: @escaping SendTransmission
  ) async throws -> SendReceipt {
    // The send is added before it is transmitted: the answer may arrive before `transmit` returns.
    let ticket = try enroll(key, until: runtime.uptime() + limit)
    return try await withThrowingTaskGroup(of: SendReceipt?.self) { group in
      defer { group.cancelAll() }
      group.addTask { try await self.receipt(of: ticket) }
      group.addTask {
        try await transmit()
        return nil
      }
      while let receipt = try await group.next() {
        if let receipt { return receipt }
      }
      throw CancellationError()
    }
  }

  /// Transmits messages one after the other, without waiting for each answer. Returns once every outcome is
  /// reported. See ``send(_:within:_:)`` for the errors.
  ///
  /// - Parameter report: called once for each key, in any order.
  public func send(
    _ keys: [Key], within limit: Duration,
    transmit: @escaping @concurrent @Sendable (Key) async throws -> Void,
    report: @escaping @concurrent @Sendable (Key, Result<SendReceipt, any Error>) async -> Void
  ) async {
    await withTaskGroup(of: Void.self) { group in
      for key in keys {
        let isTransmitted = Doorbell()
        group.addTask {
          let outcome: Result<SendReceipt, any Error>
          do {
            outcome = .success(
              try await self.send(key, within: limit) {
                defer { isTransmitted.ring() }
                try await transmit(key)
              })
          } catch {
            outcome = .failure(error)
          }
          isTransmitted.ring()
          await report(key, outcome)
        }
        await isTransmitted.wait()
      }
    }
  }

  /// Completes the sends that wait under a key, and returns the result of matching the ACK.
  @discardableResult
  public func acknowledge(_ key: Key, _ receipt: SendReceipt) -> AckTable<Key>.Answer {
    answer(key, with: .success(receipt))
  }

  /// Fails the sends that wait under a key, and returns the result of matching the refusal.
  @discardableResult
  public func refuse(_ key: Key, _ error: any Error) -> AckTable<Key>.Answer {
    answer(key, with: .failure(error))
  }

  /// Fails every waiting send and every later send with this error. Only the first call has an effect.
  public func close(_ error: any Error) {
    resume(with: .failure(error)) { state in
      guard state.end == nil else { return [] }
      state.end = error
      return state.table.closed()
    }
  }

  /// Whether no send waits and no timer runs.
  package var isIdle: Bool {
    state.withLock { $0.table.isEmpty && $0.waiters.isEmpty && $0.timer == nil }
  }

  private func enroll(_ key: Key, until deadline: Duration) throws -> Ticket {
    try state.withLock { state in
      if let end = state.end { throw end }
      let ticket = state.table.added(key, deadline: deadline)
      state.waiters[ticket] = .coming
      setTimer(&state)
      return ticket
    }
  }

  private func receipt(of ticket: Ticket) async throws -> SendReceipt {
    try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { continuation in
        let result = state.withLock { state -> Result<SendReceipt, any Error>? in
          switch state.waiters[ticket] {
          case .coming:
            state.waiters[ticket] = .suspended(continuation)
            return nil
          case .answered(let result):
            state.waiters[ticket] = nil
            return result
          case .suspended, nil:
            return .failure(CancellationError())
          }
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      cancel(ticket)
    }
  }

  private func cancel(_ ticket: Ticket) {
    let waiter = state.withLock { state -> Continuation? in
      // An answer that has already arrived takes precedence.
      if case .answered = state.waiters[ticket] { return nil }
      state.table.cancelled(ticket)
      setTimer(&state)
      guard case .suspended(let waiter) = state.waiters.removeValue(forKey: ticket) else { return nil }
      return waiter
    }
    waiter?.resume(throwing: CancellationError())
  }

  private func answer(_ key: Key, with result: Result<SendReceipt, any Error>) -> AckTable<Key>.Answer {
    var answer = AckTable<Key>.Answer.foreign
    resume(with: result) { state in
      answer = state.table.acknowledged(key)
      if case .awaited(let tickets) = answer { return tickets }
      return []
    }
    return answer
  }

  private func expire(at deadline: Duration) {
    let error = BackendError(
      .transient, "The server did not acknowledge the message in time.", outcomeIsUnknown: true,
      cause: MissedAcknowledgement())
    resume(with: .failure(error)) { state in
      if state.timer?.deadline == deadline { state.timer = nil }
      return state.table.expired(at: max(deadline, runtime.uptime()))
    }
  }

  /// Completes the sends that `choose` removes from the table, with `result`.
  private func resume(
    with result: Result<SendReceipt, any Error>, _ choose: (inout State) -> [Ticket]
  ) {
    let suspended = state.withLock { state in
      let tickets = choose(&state)
      setTimer(&state)
      return tickets.compactMap { ticket -> Continuation? in
        if case .suspended(let waiter) = state.waiters.removeValue(forKey: ticket) { return waiter }
        state.waiters[ticket] = .answered(result)
        return nil
      }
    }
    for waiter in suspended { waiter.resume(with: result) }
  }

  /// Sets the timer to the earliest deadline. While any send waits, a timer for an earlier time stays as it
  /// is, and is set again when it fires. Few timers fire, because most sends are answered long before their
  /// deadlines.
  private func setTimer(_ state: inout State) {
    let next = state.table.nextDeadline
    if let timer = state.timer {
      if let next, timer.deadline <= next { return }
      timer.task.cancel()
      state.timer = nil
    }
    guard let next else { return }
    let task = runtime.spawn {
      try await self.runtime.sleepUntil(next)
      self.expire(at: next)
    }
    state.timer = (next, task)
  }
}
