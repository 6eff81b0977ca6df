import SkeinModel
import Synchronization

/// The push channel of one process as a way for its messages, with an ACK for each; there is none while the channel is
/// closed.
final class LinkSocket: Sendable {
  let runtime: Runtime
  private let current = Mutex<AcknowledgedSends<MessageID>?>(nil)

  init(_ runtime: Runtime) { self.runtime = runtime }

  /// What goes over the channel that is open.
  var sends: AcknowledgedSends<MessageID>? { current.withLock { $0 } }

  func opened() -> AcknowledgedSends<MessageID> {
    let sends = AcknowledgedSends<MessageID>(runtime)
    current.withLock { $0 = sends }
    return sends
  }

  func closed(_ sends: AcknowledgedSends<MessageID>) {
    current.withLock { if $0 === sends { $0 = nil } }
    sends.close(BackendError(.unreachable, "The socket was closed.", outcomeIsUnknown: true))
  }

  /// An ACK comes in, or a refusal; it may be one that an earlier channel waited for.
  func take(_ answer: Result<SendReceipt, any Error>, of id: MessageID) {
    switch answer {
    case .success(let receipt): sends?.acknowledge(id, receipt)
    case .failure(let error): sends?.refuse(id, error)
    }
  }
}

extension Link {
  /// Brings a frame up; what the server answers comes down in a frame of its own: in time, late, twice or never.
  ///
  /// - Parameters:
  ///   - body: what the server does.
  ///   - answer: takes what comes down.
  func transmit<Answer: Sendable>(
    in process: SimulatedProcess, _ runtime: Runtime, repeats: Bool, isRefusable: @Sendable () -> Bool,
    _ body: @escaping @Sendable () throws -> Answer,
    answer: @escaping @Sendable (Result<Answer, any Error>) -> Void
  ) async throws {
    func down(_ result: Result<Answer, any Error>, within longest: Duration = .milliseconds(40)) {
      runtime.spawn { [self] in
        try await pause(.milliseconds(1), longest, process)
        if !isCut { answer(result) }
      }
    }
    try process.checkAlive()
    begin(.posting)
    defer { end(.posting) }
    try await pause(.milliseconds(1), .milliseconds(40), process)
    try check()
    let fault = drawFault(for: .posting, repeats: repeats)
    if let fault { log.count(fault, during: .posting) }
    switch fault {
    case .requestLost: return
    case .overtaken: return late(.seconds(1), .seconds(50), body)
    case .busy: return down(.failure(BackendError(.rateLimited, "The server is busy.")))
    case .refused where isRefusable():
      return down(.failure(BackendError(.permanent, "The server does not take this.")))
    default: break
    }
    let result = Result { try body() }
    if fault == .duplicated {
      late(.milliseconds(1), .seconds(50), body)
      down(result, within: .seconds(50))
    }
    if fault != .responseLost { down(result, within: fault == .delayed ? .seconds(50) : .milliseconds(40)) }
  }
}
