/// Receives the outcome of one of several messages that were posted together.
public typealias SendReporter =
  @concurrent @Sendable (_ message: MessageID, _ outcome: Result<SendReceipt, any Error>) async -> Void

/// Posts messages without waiting for the answers to the messages before them; see
/// ``BackendCapabilities/pipelining``.
public protocol PipeliningBackend: Sendable {
  /// Posts messages of one conversation in their order. Returns once every outcome is reported.
  ///
  /// A message is stored only if the server has the message before it. After a message that is not stored, the others
  /// fail with ``BackendError/Code/outOfOrder``. A message may be posted again, alone or with others; the server answers
  /// with the same receipt. Only the last message may be one that the server has without the message before it.
  ///
  /// - Parameter report: called once for each message as soon as its outcome is known, in any order. Its error is the
  ///   one that ``ChatBackend/send(_:)`` throws.
  func send(_ messages: [OutgoingMessage], report: @escaping SendReporter) async
}

extension ChatBackend {
  /// Posts messages one after the other, each once the message before it is stored: the way of a pipelining backend
  /// without a connection that keeps their order. After a failure, the others are not posted.
  ///
  /// - Parameter report: see ``PipeliningBackend/send(_:report:)``.
  public func sendEach(_ messages: [OutgoingMessage], report: SendReporter) async {
    var hasFailed = false
    for message in messages {
      guard !hasFailed else {
        await report(message.id, .failure(BackendError.outOfOrder()))
        continue
      }
      do {
        await report(message.id, .success(try await send(message)))
      } catch {
        hasFailed = true
        await report(message.id, .failure(error))
      }
    }
  }
}

extension BackendError {
  /// The error of a message that was not posted, because a message before it was not stored.
  package static func outOfOrder(mayHaveArrived: Bool = false) -> BackendError {
    BackendError(
      .outOfOrder, "A message before this one was not stored.", outcomeIsUnknown: mayHaveArrived)
  }
}
