import SkeinStorage

/// What becomes of an operation whose attempt did not succeed.
enum SendOutcome: Sendable {
  /// Nothing gets through: every lane waits for the connection.
  case waitForConnection(outcomeIsUnknown: Bool)
  /// The same again after a while; nil leaves what is known of the outcome as it is.
  case tryAgain(after: Duration?, outcomeIsUnknown: Bool?)
  /// The server holds this under the message's id.
  case adopt(IncomingMessage)
  /// It is not tried again by itself.
  case giveUp(MessageStatus, SendFailure)

  init(of error: any Error, idempotency: BackendCapabilities.Idempotency) {
    if let failure = error as? SendFailure {
      self = .giveUp(.failed, failure)
      return
    }
    guard !(error is StorageError), !(error is ChatError) else {
      self = .tryAgain(after: nil, outcomeIsUnknown: nil)
      return
    }
    let error = BackendError(from: error)
    if error.outcomeIsUnknown, idempotency != .forever {
      let failure = SendFailure(
        .outcomeUnknown, "It may have arrived; the server can't tell. \(error.message)")
      self = .giveUp(.uncertain, failure)
      return
    }
    switch error.code {
    case .unreachable, .unauthorized:
      self = .waitForConnection(outcomeIsUnknown: error.outcomeIsUnknown)
    case .permanent, .unsupported:
      self = .giveUp(.failed, SendFailure(.refused, error.message))
    case .idInUse:
      if let stored = error.stored {
        self = .adopt(stored)
      } else {
        self = .giveUp(.failed, SendFailure(.refused, error.message))
      }
    default:
      self = .tryAgain(after: error.retryAfter, outcomeIsUnknown: error.outcomeIsUnknown)
    }
  }
}

extension BackendError {
  /// What failed before the message was posted leaves no doubt about the message.
  static func surelyNotPosted(_ error: any Error) -> any Error {
    if error is SendFailure || error is StorageError || error is ChatError { return error }
    let error = BackendError(from: error)
    return BackendError(error.code, error.message, retryAfter: error.retryAfter, cause: error.cause)
  }
}
