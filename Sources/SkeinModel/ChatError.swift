/// The reason why the engine could not do what the app requested.
public struct ChatError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of failure; codes may be added.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code's name.
    public let rawValue: String
    /// Creates a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The folder holds another account's database.
    public static let foreignDatabase = Code(rawValue: "foreignDatabase")
    /// The backend lacks something that the engine requires of every backend.
    public static let backendUnsupported = Code(rawValue: "backendUnsupported")
    /// The backend does not support this; see ``BackendCapabilities``.
    public static let unsupported = Code(rawValue: "unsupported")
    /// The database has no such conversation.
    public static let conversationUnknown = Code(rawValue: "conversationUnknown")
    /// The database has no such message.
    public static let messageUnknown = Code(rawValue: "messageUnknown")
    /// The conversation is closed: its contact was removed, or its group was left.
    public static let conversationClosed = Code(rawValue: "conversationClosed")
    /// An attached file can't be read.
    public static let attachmentUnreadable = Code(rawValue: "attachmentUnreadable")
    /// The content can't be encoded as JSON.
    public static let contentNotEncodable = Code(rawValue: "contentNotEncodable")
    /// Unsent messages of this account would be lost.
    public static let unsentMessages = Code(rawValue: "unsentMessages")
    /// The message's current state does not allow this.
    public static let notPossibleNow = Code(rawValue: "notPossibleNow")
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
