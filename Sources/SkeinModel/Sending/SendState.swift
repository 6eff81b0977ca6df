/// The state of a message to send, in more detail than its ``MessageStatus``.
public enum SendState: Sendable, Hashable {
  /// It is next in line, or will be once the client has started or the conversation is open; or another process sends
  /// it (`ConnectionState.elsewhere`) and knows the details.
  case queued
  /// It waits until another message is sent.
  case blocked(by: LocalMessageID)
  /// The server can't be reached; the message is sent once it can.
  case waitingForConnection
  /// The server has ended the session; the message is sent once a client is opened with a new session and started.
  case signedOut
  /// The last attempt failed; the next one starts automatically.
  case waiting(until: Timestamp, reason: FailureReason)
  /// Its attachments are being uploaded (`fraction` from 0 to 1), or a ``SendParticipant`` prepares it.
  case preparing(fraction: Double)
  /// It is being posted.
  case posting
  /// The server repeatedly failed to store it but stored others: they overtake it, and it is retried every few
  /// minutes.
  case parked(reason: FailureReason)
  /// The server has it. Final.
  case sent
  /// It is not sent unless its user tries again. Final.
  case failed(SendFailure)
  /// It may have arrived; only its user sends it again. Final, unless the server reports the outcome later.
  case uncertain(SendFailure)
  /// It was cancelled before it reached the server; its row is deleted. Final.
  case cancelled

  /// Whether the state is final.
  public var isEnd: Bool {
    switch self {
    case .sent, .failed, .uncertain, .cancelled: true
    default: false
    }
  }
}
