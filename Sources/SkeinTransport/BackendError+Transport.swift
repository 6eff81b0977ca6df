public import SkeinModel

extension BackendError {
  /// No answer within the deadline or the idle timeout.
  public static let late = BackendError(
    .transient, "The server did not answer in time.", outcomeIsUnknown: true)

  /// An answer that does not conform to the protocol.
  public static let garbled = BackendError(
    .transient, "Something other than the server answered, or its answer was damaged.", outcomeIsUnknown: true
  )

  /// An answer longer than the limit.
  public static let oversize = BackendError(
    .transient, "The answer exceeds its maximum length.", outcomeIsUnknown: true, cause: OversizeAnswer())

  /// Whether the error, or the error that it describes further, is ``oversize``.
  public var isOversize: Bool { cause is OversizeAnswer }

  /// A connection that ended before the answer was complete.
  public static let brokenOff = BackendError(
    .unreachable, "The connection to the server was lost.", outcomeIsUnknown: true)

  /// Creates the error for a request without a complete answer.
  ///
  /// - Parameter wasSent: whether the server may have received any part of the request.
  init(transport cause: any Error, wasSent: Bool) {
    self.init(
      .unreachable, wasSent ? Self.brokenOff.message : "The server can't be reached.",
      outcomeIsUnknown: wasSent,
      cause: cause)
  }
}

private struct OversizeAnswer: Error {}
