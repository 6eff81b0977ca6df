import SkeinModel
import Synchronization

/// Sends the messages of one process over the device's push channel while the channel is open, and
/// receives an ACK for each message.
final class LinkSocket: Sendable {
  let runtime: Runtime
  private let current = Mutex<AcknowledgedSends<MessageID>?>(nil)

  init(_ runtime: Runtime) { self.runtime = runtime }

  /// The messages in flight on the open channel; nil while the channel is closed.
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

  /// Receives an ACK or a refusal, possibly of a message that was sent over an earlier channel.
  func take(_ answer: Result<SendReceipt, any Error>, of id: MessageID) {
    switch answer {
    case .success(let receipt): sends?.acknowledge(id, receipt)
    case .failure(let error): sends?.refuse(id, error)
    }
  }
}

extension Link {
  /// Sends a frame. The server answers in a frame of its own. The answer arrives in time, late, twice or
  /// never.
  ///
  /// - Parameters:
  ///   - body: The work of the server.
  ///   - answer: Receives the server's answer.
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
      return down(.failure(BackendError(.permanent, "The server rejects this.")))
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
