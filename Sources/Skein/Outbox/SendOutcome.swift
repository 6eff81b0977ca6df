import SkeinStorage

/// What becomes of an operation whose attempt did not succeed.
enum SendOutcome: Sendable {
  /// Nothing gets through: every lane waits for the connection. Nil leaves what is known of the outcome as it is; `blames`
  /// says that the connection broke at this very message.
  case waitForConnection(outcomeIsUnknown: Bool?, blames: Bool)
  /// The same again after a while, by `after` the earliest where the server asks for patience; `blames` says that it failed
  /// at this very message.
  case tryAgain(after: Duration?, outcomeIsUnknown: Bool?, blames: Bool)
  /// The server holds this under the message's id.
  case adopt(IncomingMessage)
  /// It is not tried again by itself.
  case giveUp(MessageStatus, SendFailure)

  /// - Parameter canSettle: whether an unknown outcome can be settled, by repeating the attempt or by looking it up.
  init(of error: any Error, canSettle: Bool) {
    let inconclusive = error as? InconclusiveFailure
    let error = inconclusive?.cause ?? error
    if let failure = error as? SendFailure {
      self = .giveUp(failure.code == .outcomeUnknown ? .uncertain : .failed, failure)
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
    case .permanent, .unsupported:
      let mayHaveArrived = inconclusive?.mayHaveArrived ?? false
      self = .giveUp(mayHaveArrived ? .uncertain : .failed, SendFailure(.refused, backendError.message))
    case .idInUse:
      if let stored = backendError.stored {
        self = .adopt(stored)
      } else {
        self = .giveUp(.failed, SendFailure(.refused, backendError.message))
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
  /// Whether the request surely left the server as it was, and what it was to bring there is not there.
  var hadNoEffect: Bool { !outcomeIsUnknown && code != .idInUse }
}

/// A failure that says nothing about whether the message has arrived: of something other than a post, or of a repeated
/// one, since what the repetition surely did not do may have been done by the attempt before it.
struct InconclusiveFailure: Error {
  let cause: any Error
  /// Whether an earlier attempt may have reached the server.
  let mayHaveArrived: Bool

  /// Marks what `body` throws, except the end of its own task.
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
