/// The state of a message to send, in more detail than its ``MessageStatus``.
public enum SendState: Sendable, Hashable {
  /// The message is next in its conversation, or waits until the client has started or the conversation is
  /// open. If another process sends it (`ConnectionState.elsewhere`), only that process knows the details.
  case queued
  /// The message waits until another message is sent.
  case blocked(by: LocalMessageID)
  /// The server can't be reached; the message is sent as soon as the server can be reached again.
  case waitingForConnection
  /// The server has ended the session; the message is sent once a client with a new session has started.
  case signedOut
  /// The last attempt failed; the next one starts automatically.
  case waiting(until: Timestamp, reason: FailureReason)
  /// Its attachments are being uploaded (`fraction` from 0 to 1), or a ``SendParticipant`` prepares it.
  case preparing(fraction: Double)
  /// The message is being posted.
  case posting
  /// The server repeatedly failed to store this message but stored others. Other messages overtake this one,
  /// which is retried every few minutes.
  case parked(reason: FailureReason)
  /// The server has the message. Final.
  case sent
  /// The message is not sent unless the user tries again. Final.
  case failed(SendFailure)
  /// The message may have arrived; it is sent again only if the user requests it. Final, unless the server
  /// reports the outcome later.
  case uncertain(SendFailure)
  /// The message was cancelled before it reached the server; its row is deleted. Final.
  case cancelled

  /// Whether the state is final.
  public var isEnd: Bool {
    switch self {
    case .sent, .failed, .uncertain, .cancelled: true
    default: false
    }
  }
}
