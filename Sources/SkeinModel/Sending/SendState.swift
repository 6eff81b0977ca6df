/// How a message that was given to send stands, in more detail than its ``MessageStatus``.
public enum SendState: Sendable, Hashable {
  /// It is next, or will be once the client is started or the conversation open; or another process sends it
  /// (``ConnectionState/elsewhere``), which alone knows more.
  case queued
  /// It waits for another message to go first.
  case behind(LocalMessageID)
  /// Nothing gets through to the server; it goes as soon as something does.
  case waitingForConnection
  /// The server has ended the session; it goes once a client is opened with a new one and started.
  case signedOut
  /// The last attempt failed; the next one follows by itself.
  case waiting(until: Timestamp, reason: String)
  /// Its attachments are being uploaded, `fraction` from 0 to 1, or a ``SendParticipant`` prepares it.
  case preparing(fraction: Double)
  /// An attempt is under way.
  case posting
  /// The server failed at it again and again while others got through: they pass it, and it is tried every few minutes.
  case parked(reason: String)
  /// The server has it. An end.
  case sent
  /// It will not be sent unless its user tries again. An end.
  case failed(SendFailure)
  /// It may or may not have arrived; only its user sends it again. An end, unless the server
  /// tells after all.
  case uncertain(SendFailure)
  /// It was taken back before it reached the server; its row is gone. An end.
  case cancelled

  /// Whether nothing more happens by itself.
  public var isEnd: Bool {
    switch self {
    case .sent, .failed, .uncertain, .cancelled: true
    default: false
    }
  }
}
