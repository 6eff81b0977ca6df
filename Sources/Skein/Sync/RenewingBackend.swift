#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Synchronization

/// Wraps the backend of a client. When the server rejects the session, the session is renewed once for all calls. After
/// that, the calls are repeated, here or by the callers.
///
/// After the session has ended, every call and the push channel fail until the next start. They throw the error that
/// ended the session. See ``SessionGate``.
final class RenewingBackend: FullBackend {
  private let inner: any ChatBackend
  private let gate: Mutex<SessionGate>
  private let standing: StatePublisher<SessionGate.Standing>

  init(_ inner: any ChatBackend) {
    self.inner = inner
    let gate = SessionGate(canRenew: inner.capabilities.renewal != nil)
    standing = StatePublisher(gate.standing)
    self.gate = Mutex(gate)
  }

  var capabilities: BackendCapabilities { inner.capabilities.routed(through: self) }

  /// Called on start: the session is valid until the server rejects it.
  func started() { change { $0.started() } }

  /// Changes the gate, and wakes calls that wait for a renewal or for the end of the session.
  @discardableResult
  private func change<Answer: Sendable>(_ body: (inout SessionGate) -> Answer) -> Answer {
    // The value is published under the lock, so that the last published value is always the current value.
    gate.withLock { gate in
      defer { standing.publish(gate.standing) }
      return body(&gate)
    }
  }

  // MARK: Calls

  /// Makes a call. If the server rejects the session, the session is renewed. The call is then repeated once
  /// if `repeats` is true. If `repeats` is false, a transient error is thrown.
  ///
  /// - Parameters:
  ///   - repeats: false if the caller repeats the call itself. Sends and uploads are repeated by the next
  ///     attempt of the outbox, and the push channel is opened again by the next connection attempt.
  ///   - isProof: true if the return of the call proves that the server has accepted the session. The errors
  ///     `permanent`, `idInUse` and `cursorRejected` always prove this.
  ///   - begun: nil for a new call. If `call` only returns an answer that was already received, the
  ///     generation of the session in which the answered request began.
  private func authorized<Answer: Sendable>(
    repeats: Bool = true, isProof: Bool = true, in begun: SessionGate.Generation? = nil,
    _ call: @Sendable (SessionGate.Generation) async throws -> Answer
  ) async throws -> Answer {
    var hasRepeated = false
    while true {
      let (current, ending) = gate.withLock { ($0.generation, $0.ending) }
      if let ending, begun == nil { throw ending }
      let generation = begun ?? current
      do {
        let answer = try await call(generation)
        if isProof { gate.withLock { $0.accepted(in: generation) } }
        return answer
      } catch let error as BackendError where error.code == .unauthorized {
        guard !hasRepeated else { throw error }
        do {
          try await renew(after: generation, error)
        } catch let failure as BackendError {
          throw BackendError(failure, insteadOf: error)
        }
        guard repeats else {
          let renewed = BackendError(.transient, "The session was renewed.", retryAfter: .zero)
          throw BackendError(renewed, insteadOf: error)
        }
        hasRepeated = true
      } catch let error as BackendError where [.permanent, .idInUse, .cursorRejected].contains(error.code) {
        gate.withLock { $0.accepted(in: generation) }
        throw error
      }
    }
  }

  /// Renews the rejected session. If another call is already renewing the session, waits for the result.
  /// Returns at once if the session was renewed after the call began.
  ///
  /// - Throws: the error of the renewal, the error that ended the session, or `CancellationError`.
  private func renew(after generation: SessionGate.Generation, _ error: BackendError) async throws {
    while true {
      switch change({ $0.refused(in: generation, error) }) {
      case .again: return
      case .over(let ending): throw ending
      case .wait(let attempt):
        for await standing in standing.updates where standing.attempts > attempt || standing.isOver { break }
        try Task.checkCancellation()
        if let failure = gate.withLock({ $0.attempts == attempt + 1 ? $0.failure : nil }) { throw failure }
      case .renew: try await renew()
      }
    }
  }

  private func renew() async throws {
    do {
      try await renewSession()
      change { $0.renewed(nil) }
    } catch {
      let failure = BackendError(renewing: error)
      change { Task.isCancelled ? $0.gaveUp() : $0.renewed(failure) }
      try Task.checkCancellation()
      throw failure
    }
  }

  func renewSession() async throws { try await inner.require(\.renewal).renewSession() }

  // MARK: Forwarded calls

  func run(since cursor: SyncCursor?, _ receive: @escaping BackendReceiver) async throws {
    try await authorized(repeats: false, isProof: false) { generation in
      try await withThrowingTaskGroup(of: Void.self) { group in
        defer { group.cancelAll() }
        group.addTask { [inner] in
          try await inner.run(since: cursor) { event in
            if event == .connected { self.gate.withLock { $0.accepted(in: generation) } }
            await receive(event)
            if case .signedOut(let reason) = event {
              self.change { $0.end(BackendError(.unauthorized, reason)) }
            }
          }
        }
        group.addTask {
          for await standing in self.standing.updates where standing.isOver { break }
          if let ending = self.gate.withLock({ $0.ending }) { throw ending }
        }
        try await group.next()
      }
    }
  }

  func sync(since cursor: SyncCursor?, limit: Int) async throws -> SyncBatch {
    try await authorized { [inner] _ in try await inner.sync(since: cursor, limit: limit) }
  }

  func history(of conversation: ConversationRef, at anchor: HistoryAnchor, limit: Int) async throws
    -> HistoryPage
  {
    try await authorized { [inner] _ in try await inner.history(of: conversation, at: anchor, limit: limit) }
  }

  func send(_ message: OutgoingMessage) async throws -> SendReceipt {
    try await authorized(repeats: false) { [inner] _ in try await inner.send(message) }
  }

  func send(_ messages: [OutgoingMessage], report: @escaping SendReporter) async {
    do {
      let generation = try await authorized(isProof: false) { $0 }
      try await inner.require(\.pipelining).send(messages) { id, outcome in
        do {
          await report(
            id, .success(try await self.authorized(repeats: false, in: generation) { _ in try outcome.get() })
          )
        } catch {
          await report(id, .failure(error))
        }
      }
    } catch {
      for message in messages { await report(message.id, .failure(error)) }
    }
  }

  func perform(_ action: OutgoingAction) async throws -> IncomingMessage? {
    try await authorized { [inner] _ in try await inner.require(\.actions?.backend).perform(action) }
  }

  func open(_ request: ConversationRequest) async throws -> ConversationInfo {
    try await authorized { [inner] _ in try await inner.open(request) }
  }

  func markRead(_ conversation: ConversationRef, upTo mark: MessageMark, in epoch: Epoch?) async throws {
    try await authorized { [inner] _ in
      try await inner.require(\.readMarks).markRead(conversation, upTo: mark, in: epoch)
    }
  }

  func set(_ setting: ConversationSetting, to isSet: Bool, of conversation: ConversationRef) async throws {
    try await authorized { [inner] _ in
      try await inner.require(\.settings?.backend).set(setting, to: isSet, of: conversation)
    }
  }

  func markDelivered(upTo cursor: SyncCursor) async throws {
    try await authorized { [inner] _ in
      try await inner.require(\.deliveryReceipts).markDelivered(upTo: cursor)
    }
  }

  func noteTyping(in conversation: ConversationRef) async throws {
    try await authorized { [inner] _ in try await inner.require(\.typing).noteTyping(in: conversation) }
  }

  func contacts(since version: ContactVersion?) async throws -> ContactDelta {
    try await authorized { [inner] _ in try await inner.require(\.contacts).contacts(since: version) }
  }

  func leave(_ group: ConversationRef) async throws {
    try await authorized { [inner] _ in try await inner.require(\.leaving).leave(group) }
  }

  func upload(_ source: UploadSource, resuming token: UploadToken?, report: UploadReporter) async throws
    -> RemoteMedia
  {
    try await authorized(repeats: false) { [inner] _ in
      try await inner.require(\.media).upload(source, resuming: token, report: report)
    }
  }

  func rehost(_ url: URL) async throws -> RemoteMedia {
    try await authorized { [inner] _ in try await inner.require(\.rehosting).rehost(url) }
  }

  func download(_ media: RemoteMedia, to file: URL) async throws {
    try await authorized { [inner] _ in try await inner.require(\.media).download(media, to: file) }
  }
}

extension BackendError {
  /// Creates the error that replaces the rejection of a call. The rejection determines whether the outcome of
  /// the call is unknown.
  fileprivate init(_ error: BackendError, insteadOf refusal: BackendError) {
    self.init(
      error.code, error.message, retryAfter: error.retryAfter, outcomeIsUnknown: refusal.outcomeIsUnknown,
      cause: error.cause)
  }

  /// Creates the error of a failed renewal. The code is `unauthorized` if the user has to sign in again.
  fileprivate init(renewing error: any Error) {
    let error = BackendError(from: error)
    let code: Code =
      switch error.code {
      case .unauthorized, .permanent, .unsupported: .unauthorized
      case .unreachable, .rateLimited: error.code
      default: .transient
      }
    self.init(code, error.message, retryAfter: error.retryAfter, cause: error)
  }
}
