/// Why the engine could not do what its app asked.
public struct ChatError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What kind of failure it was; more codes may come.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code's name.
    public let rawValue: String
    /// Names a code.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The folder holds another account's database.
    public static let foreignDatabase = Code(rawValue: "foreignDatabase")
    /// The backend can do less than the engine needs of every backend.
    public static let backendUnsupported = Code(rawValue: "backendUnsupported")
    /// The backend can't do this; ``BackendCapabilities`` says what it can.
    public static let unsupported = Code(rawValue: "unsupported")
    /// The database holds no such conversation.
    public static let conversationUnknown = Code(rawValue: "conversationUnknown")
    /// The database holds no such message.
    public static let messageUnknown = Code(rawValue: "messageUnknown")
    /// The conversation is closed: its contact was removed, or its group left.
    public static let conversationClosed = Code(rawValue: "conversationClosed")
    /// An attached file can't be read.
    public static let attachmentUnreadable = Code(rawValue: "attachmentUnreadable")
    /// The content can't be encoded as JSON.
    public static let contentNotEncodable = Code(rawValue: "contentNotEncodable")
    /// Messages of this account would be lost that were not sent.
    public static let unsentMessages = Code(rawValue: "unsentMessages")
    /// The message is in no state in which this can be done.
    public static let notPossibleNow = Code(rawValue: "notPossibleNow")
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
