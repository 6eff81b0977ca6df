/// The backend's id of a user.
public struct UserID: RawRepresentable, Hashable, Sendable, Codable, ExpressibleByStringLiteral {
  /// The backend's own text.
  public let rawValue: String
  /// Wraps the backend's text.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Wraps the backend's text.
  public init(_ rawValue: String) { self.rawValue = rawValue }
  /// Creates an id from a string literal.
  public init(stringLiteral value: String) { rawValue = value }
}

extension UserID: CustomStringConvertible {
  /// The backend's own text.
  public var description: String { rawValue }
}

/// The id of a conversation in one account's database, for the lifetime of the database.
///
/// Databases of different accounts use the same numbers: to store data about conversations of several accounts, use
/// the account and the id as the key.
public struct ConversationID: RawRepresentable, Hashable, Comparable, Sendable, Codable {
  /// A number assigned by this database.
  public let rawValue: Int64
  /// Wraps a stored number.
  public init(rawValue: Int64) { self.rawValue = rawValue }
  /// Orders by the time at which the conversations were added to this device.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The backend's id of a conversation. The engine does not interpret this id.
public struct ConversationRef: RawRepresentable, Hashable, Sendable, Codable {
  /// The backend's own text.
  public let rawValue: String
  /// Wraps the backend's text.
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// The id of a message in one account's database: never reused, and the same before and after sending.
///
/// Databases of different accounts use the same numbers: to store data about messages of several accounts, use the
/// account and the id as the key.
public struct LocalMessageID: RawRepresentable, Hashable, Comparable, Sendable, Codable {
  /// A number assigned by this database; messages that were stored later have higher numbers.
  public let rawValue: Int64
  /// Wraps a stored number.
  public init(rawValue: Int64) { self.rawValue = rawValue }
  /// Orders by the time at which the messages were first stored.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The permanent id that the sender's client gave a message: the idempotency key of every attempt to send the message.
public struct MessageID: RawRepresentable, Hashable, Sendable, Codable {
  /// 1 to 128 characters. The id is unique among the sender's messages in the conversation.
  public let rawValue: String
  /// Wraps a stored or received id.
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// The id that a client gave an edit, a recall, a reaction or a flag: the idempotency key of every attempt to send this
/// action.
public struct ActionID: RawRepresentable, Hashable, Sendable, Codable {
  /// 1 to 128 characters.
  public let rawValue: String
  /// Wraps a stored or received id.
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// The server's id of a message.
public struct ServerMessageID: RawRepresentable, Hashable, Sendable, Codable {
  /// The server's own text.
  public let rawValue: String
  /// Wraps the server's text.
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// The place from which the next sync continues. Only the backend interprets this text.
public struct SyncCursor: RawRepresentable, Hashable, Sendable, Codable {
  /// The backend's own text.
  public let rawValue: String
  /// Wraps the backend's text.
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// The backend's id of an epoch: a period in which the server's history only grows. A restored backup or a
/// reset begins a new epoch.
public struct Epoch: RawRepresentable, Hashable, Sendable, Codable {
  /// The backend's own text.
  public let rawValue: String
  /// Wraps the backend's text.
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// The place from which paging continues, before or after the messages of a page, on backends that page by token.
public struct HistoryToken: RawRepresentable, Hashable, Sendable, Codable {
  /// The backend's own text.
  public let rawValue: String
  /// Wraps the backend's text.
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// Identifies an interrupted upload that can be continued. Only the backend interprets this text.
public struct UploadToken: RawRepresentable, Hashable, Sendable, Codable {
  /// The backend's own text.
  public let rawValue: String
  /// Wraps the backend's text.
  public init(rawValue: String) { self.rawValue = rawValue }
}
