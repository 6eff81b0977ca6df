import SkeinStorage

/// The consequence of a failed attempt for its operation.
enum SendOutcome: Sendable {
  /// Nothing gets through: every lane waits for the connection. If `outcomeIsUnknown` is nil, the stored
  /// value does not change. `blames`: whether the connection broke during this very operation.
  case waitForConnection(outcomeIsUnknown: Bool?, blames: Bool)
  /// The operation takes its turn in the lane again, at once if nothing blocks it.
  case stepBack(outcomeIsUnknown: Bool?)
  /// The operation is retried later. If the server requested a pause, `after` is its minimum length.
  /// `blames`: whether the server failed at this very operation.
  case tryAgain(after: Duration?, outcomeIsUnknown: Bool?, blames: Bool)
  /// The server has this message, with other content, under the same message id.
  case adopt(IncomingMessage)
  /// The operation is not retried automatically.
  case giveUp(MessageStatus, SendFailure)

  /// - Parameter canSettle: whether an unknown outcome can be resolved, by repeating the attempt or by looking the
  ///   message up.
  init(of error: any Error, canSettle: Bool) {
    let inconclusive = error as? InconclusiveFailure
    let error = inconclusive?.cause ?? error
    func end(as failure: SendFailure, mayHaveArrived: Bool) -> SendOutcome {
      .giveUp(mayHaveArrived || inconclusive?.mayHaveArrived == true ? .uncertain : .failed, failure)
    }
    if let failure = error as? SendFailure {
      self = end(as: failure, mayHaveArrived: failure.code == .outcomeUnknown)
      return
    }
    guard !(error is StorageError), !(error is ChatError) else {
      self = .tryAgain(after: nil, outcomeIsUnknown: nil, blames: false)
      return
    }
    let backendError = BackendError(from: error)
    let isUnknown = inconclusive == nil ? backendError.outcomeIsUnknown : nil
    if isUnknown == true, !canSettle {
      let failure = SendFailure(
        .outcomeUnknown, "It may have arrived; the server can't tell. \(backendError.message)")
      self = .giveUp(.uncertain, failure)
      return
    }
    switch backendError.code {
    case .unreachable, .unauthorized:
      self = .waitForConnection(outcomeIsUnknown: isUnknown, blames: backendError.outcomeIsUnknown)
    case .outOfOrder: self = .stepBack(outcomeIsUnknown: isUnknown)
    case .permanent, .unsupported:
      self = end(as: SendFailure(.refused, backendError.message), mayHaveArrived: isUnknown == true)
    case .idInUse:
      if let stored = backendError.stored {
        self = .adopt(stored)
      } else {
        // The id is that of something else, or of an earlier form of the message if the post was repeated.
        self = end(as: SendFailure(.refused, backendError.message), mayHaveArrived: false)
      }
    default:
      self = .tryAgain(
        after: backendError.retryAfter ?? (backendError.code == .rateLimited ? .zero : nil),
        outcomeIsUnknown: isUnknown,
        blames: backendError.code != .rateLimited)
    }
  }
}

extension BackendError {
  /// Whether the request certainly had no effect, and the server did not report another message under the
  /// message id of the request.
  var hadNoEffect: Bool { !outcomeIsUnknown && code != .idInUse }
}

/// A failure that does not show whether the message has arrived: the request was not a post, or an earlier
/// post may have succeeded.
struct InconclusiveFailure: Error {
  let cause: any Error
  /// Whether an earlier post of the message may have reached the server.
  let mayHaveArrived: Bool

  /// Wraps the errors of `body`, except the cancellation of the current task.
  static func marking<Result>(mayHaveArrived: Bool = false, _ body: () async throws -> Result) async throws
    -> Result
  {
    do {
      return try await body()
    } catch let error as CancellationError where Task.isCancelled {
      throw error
    } catch {
      throw InconclusiveFailure(cause: error, mayHaveArrived: mayHaveArrived)
    }
  }
}
