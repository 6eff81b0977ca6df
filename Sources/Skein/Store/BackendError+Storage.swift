import SkeinStorage

extension BackendError {
  /// Converts an error of a call, or of storing the result of the call. An error other than ``BackendError``
  /// becomes transient, with an unknown outcome.
  init(from error: any Error) {
    switch error {
    case let error as BackendError: self = error
    case let error as StorageError:
      self.init(.transient, "It can't be stored: \(error.message)", outcomeIsUnknown: true, cause: error)
    default:
      self.init(
        .transient, "The backend failed with \(type(of: error)).", outcomeIsUnknown: true, cause: error)
    }
  }

  /// The error for an answer that can't be stored. Since the request, the epoch has changed, the first epoch
  /// has begun, or the first sync was stored.
  static var otherEpoch: BackendError {
    BackendError(.transient, "The server has started a new history meanwhile.", outcomeIsUnknown: true)
  }
}

extension FailureReason {
  /// The reason for the failure of a call, of storing its result, or of preparing a message.
  init(of error: any Error) {
    switch error {
    case let error as StorageError: self.init(.storage, "It can't be stored: \(error.message)")
    case let error as ChatError: self.init(.storage, error.message)
    case let error: self.init(BackendError(from: error))
    }
  }
}
