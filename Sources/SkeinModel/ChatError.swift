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
    /// Another process has erased the account's data from this device, and nothing can be stored in it any more. Close the
    /// client, and open a new one when the user signs in again.
    public static let dataErased = Code(rawValue: "dataErased")
    /// The engine can't work with the backend's capabilities, such as read marks without positions; also thrown if
    /// the backend can't leave groups.
    public static let backendUnsupported = Code(rawValue: "backendUnsupported")
    /// The backend does not support the request; see ``BackendCapabilities``.
    public static let unsupported = Code(rawValue: "unsupported")
    /// The database has no such conversation.
    public static let conversationUnknown = Code(rawValue: "conversationUnknown")
    /// The database has no such message, or the message was deleted on this device.
    public static let messageUnknown = Code(rawValue: "messageUnknown")
    /// The conversation is closed: its contact was removed, or its group was left.
    public static let conversationClosed = Code(rawValue: "conversationClosed")
    /// The account is invited to the conversation, and has to accept the invitation first.
    public static let invitationPending = Code(rawValue: "invitationPending")
    /// An attached file can't be read.
    public static let attachmentUnreadable = Code(rawValue: "attachmentUnreadable")
    /// The content can't be encoded as JSON.
    public static let contentNotEncodable = Code(rawValue: "contentNotEncodable")
    /// The content is larger than ``BackendCapabilities/largestContent``.
    public static let contentTooLarge = Code(rawValue: "contentTooLarge")
    /// Unsent messages or unsent changes of this account would be lost.
    public static let unsentMessages = Code(rawValue: "unsentMessages")
    /// The request is not possible: either not in the current state, such as a change of a recalled message,
    /// or never, such as leaving a direct chat.
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
