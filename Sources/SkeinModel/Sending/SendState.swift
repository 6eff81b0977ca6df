/// The state of sending a message, in more detail than its ``MessageStatus``.
public enum SendState: Sendable, Hashable {
  /// The message is next in its conversation, or waits for an earlier action, the opening of the
  /// conversation, or the start of the client. If another process sends the messages
  /// (`ConnectionState.elsewhere`), only that process knows the details.
  case queued
  /// The message waits until another message, of any conversation, is sent or prepared.
  case blocked(by: LocalMessageID)
  /// The server can't be reached. The message is sent as soon as the server can be reached again.
  case waitingForConnection
  /// The server has ended the session. The message is sent once a client with a new session has started.
  case signedOut
  /// The last attempt failed; the next attempt starts automatically.
  case waiting(until: Timestamp, reason: FailureReason)
  /// The attachments are being uploaded (`fraction` from 0 to 1), or a ``SendParticipant`` prepares the message.
  case preparing(fraction: Double)
  /// The message is being posted.
  case posting
  /// Attempts to send this message failed repeatedly, while other requests to the server succeeded. Other
  /// messages overtake this message, which is retried every few minutes.
  case parked(reason: FailureReason)
  /// The server has the message. Final.
  case sent
  /// The message is not sent unless the user tries again. Final.
  case failed(SendFailure)
  /// The message may have arrived. The message is sent again only if the user requests this. Final, but the
  /// outcome may become known later.
  case uncertain(SendFailure)
  /// The message was cancelled before it reached the server, and is deleted from this device. Final.
  case cancelled

  /// Whether the state is final.
  public var isEnd: Bool {
    switch self {
    case .sent, .failed, .uncertain, .cancelled: true
    default: false
    }
  }
}
