/// Why a message was not sent, or what was last done to it came to nothing.
public struct SendFailure: Error, Sendable, Hashable, Codable, CustomStringConvertible {
  /// What kind of failure it was; more codes may come.
  public struct Code: RawRepresentable, Hashable, Sendable, Codable {
    /// The code's name.
    public let rawValue: String
    /// Takes a stored code.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The server refuses this message, now and later.
    public static let refused = Code(rawValue: "refused")
    /// A ``SendParticipant`` did not let it pass; the app may have codes of its own for that.
    public static let rejected = Code(rawValue: "rejected")
    /// An attached file is gone or can't be read.
    public static let attachmentUnreadable = Code(rawValue: "attachmentUnreadable")
    /// The server may have it and can't be asked.
    public static let outcomeUnknown = Code(rawValue: "outcomeUnknown")
    /// The conversation could not be opened.
    public static let conversationRefused = Code(rawValue: "conversationRefused")
    /// Who it was for is not among the contacts any more, or the group was left.
    public static let recipientRemoved = Code(rawValue: "recipientRemoved")
    /// The server had it, and has lost it since: its history was set back.
    public static let lost = Code(rawValue: "lost")
    /// It, or the message that it depends on, was taken back before it was sent.
    public static let cancelled = Code(rawValue: "cancelled")
    /// The server failed at it for too long; see ``ChatOptions/giveUpAfter``.
    public static let gaveUp = Code(rawValue: "gaveUp")
    /// Its kind is not registered any more, and it still had something to prepare.
    public static let kindUnknown = Code(rawValue: "kindUnknown")
  }
  /// What kind of failure it was.
  public let code: Code
  /// One sentence for a person.
  public let message: String
  /// Describes a failure.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
  /// Code and sentence.
  public var description: String { "\(code.rawValue): \(message)" }
}
