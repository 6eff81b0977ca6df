/// Receives the outcome of one of several messages that were posted together.
public typealias SendReporter =
  @concurrent @Sendable (_ message: MessageID, _ outcome: Result<SendReceipt, any Error>) async -> Void

/// Posts several messages of a conversation without waiting for each answer; see
/// ``BackendCapabilities/pipelining``.
public protocol PipeliningBackend: Sendable {
  /// Posts messages of one conversation in their order. Returns once every outcome is reported.
  ///
  /// The server stores a message only if it has stored the previous message of `messages`. If a message is
  /// not stored, all later messages fail with ``BackendError/Code/outOfOrder``. A message may be posted
  /// again, alone or with other messages; the server then returns the same receipt.
  ///
  /// If an earlier attempt may have stored a message without the message that is now before it, no message
  /// follows this message in `messages`. Otherwise, the server could store the following message although an
  /// earlier message is missing.
  ///
  /// - Parameter report: called once for each message as soon as the outcome of the message is known, in any
  ///   order. A failure contains `outOfOrder`, or the error that ``ChatBackend/send(_:)`` throws.
  func send(_ messages: [OutgoingMessage], report: @escaping SendReporter) async
}

extension ChatBackend {
  /// Posts messages one at a time, and waits for each receipt before it posts the next message. After a
  /// failure, the later messages are not posted, and fail with ``BackendError/Code/outOfOrder``.
  ///
  /// A ``PipeliningBackend`` uses this method while it has no connection that keeps messages in order.
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
  /// The error of a message that follows a message that was not stored.
  ///
  /// - Parameter mayHaveArrived: whether the server may have received the message in an earlier attempt.
  package static func outOfOrder(mayHaveArrived: Bool = false) -> BackendError {
    BackendError(
      .outOfOrder, "A message before this one was not stored.", outcomeIsUnknown: mayHaveArrived)
  }
}
