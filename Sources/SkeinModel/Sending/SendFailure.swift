/// The reason why a message failed or is uncertain, why its last edit, recall, reaction or flag failed, or
/// why its conversation was not opened.
public struct SendFailure: Error, Sendable, Hashable, Codable, CustomStringConvertible {
  /// The kind of failure; codes may be added.
  public struct Code: RawRepresentable, Hashable, Sendable, Codable {
    /// The code's name.
    public let rawValue: String
    /// Wraps a stored code.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The server refuses the message or the action permanently.
    public static let refused = Code(rawValue: "refused")
    /// A ``SendParticipant`` rejected the message; the app may define its own codes for rejections.
    public static let rejected = Code(rawValue: "rejected")
    /// An attached file is gone or can't be read.
    public static let attachmentUnreadable = Code(rawValue: "attachmentUnreadable")
    /// The message may have arrived: the server can't tell, or the message was cancelled after an attempt to post it.
    public static let outcomeUnknown = Code(rawValue: "outcomeUnknown")
    /// The server refuses to open the conversation.
    public static let conversationRefused = Code(rawValue: "conversationRefused")
    /// The recipient was removed from the contacts, or the group was left.
    public static let recipientRemoved = Code(rawValue: "recipientRemoved")
    /// The server no longer has the message, because the server was restored to an earlier state.
    public static let lost = Code(rawValue: "lost")
    /// The message depends on a message that was cancelled, or is a copy of a message that was recalled
    /// before the copy was sent.
    public static let cancelled = Code(rawValue: "cancelled")
    /// All attempts failed for too long while there was a connection; see `ChatOptions.giveUpAfter`.
    public static let gaveUp = Code(rawValue: "gaveUp")
    /// The message has attachments to upload, but its kind is not registered, or its content can't be decoded.
    public static let kindUnknown = Code(rawValue: "kindUnknown")
  }
  /// The kind of failure.
  public let code: Code
  /// One sentence for people.
  public let message: String
  /// Describes a failure.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
  /// The code and the sentence.
  public var description: String { "\(code.rawValue): \(message)" }
}
