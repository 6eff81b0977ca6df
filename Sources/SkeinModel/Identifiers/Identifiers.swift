/// A user of a backend, by the backend's name for them.
public struct UserID: RawRepresentable, Hashable, Sendable, Codable, ExpressibleByStringLiteral {
  /// The backend's own text.
  public let rawValue: String
  /// Takes the backend's text as it is.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Takes the backend's text as it is.
  public init(_ rawValue: String) { self.rawValue = rawValue }
  /// Names a user in code.
  public init(stringLiteral value: String) { rawValue = value }
}

extension UserID: CustomStringConvertible {
  /// The backend's own text.
  public var description: String { rawValue }
}

/// A conversation in one account's database, for as long as that lives.
///
/// Another account's database gives out the same numbers: what is kept about conversations of several accounts is keyed
/// by account and id.
public struct ConversationID: RawRepresentable, Hashable, Comparable, Sendable, Codable {
  /// A number that this database gave out.
  public let rawValue: Int64
  /// Takes a stored number back.
  public init(rawValue: Int64) { self.rawValue = rawValue }
  /// Orders by when this device came to know the conversations.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The backend's name for a conversation; opaque to the engine.
public struct ConversationRef: RawRepresentable, Hashable, Sendable, Codable {
  /// The backend's own text.
  public let rawValue: String
  /// Takes the backend's text as it is.
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// A message's row in one account's database: made once, never reused, the same before and after it was sent.
///
/// Another account's database gives out the same numbers: what is kept about messages of several accounts is keyed by
/// account and id.
public struct LocalMessageID: RawRepresentable, Hashable, Comparable, Sendable, Codable {
  /// A number that this database gave out, rising.
  public let rawValue: Int64
  /// Takes a stored number back.
  public init(rawValue: Int64) { self.rawValue = rawValue }
  /// Orders by when the rows were made here.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The name that its sender's client gave a message, for life: the idempotency key of every attempt to send it.
public struct MessageID: RawRepresentable, Hashable, Sendable, Codable {
  /// 1 to 128 characters; unique together with conversation and sender.
  public let rawValue: String
  /// Takes a stored or received id.
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// The name that a client gave an edit, a recall, a reaction or a pin: the idempotency key of every attempt to bring it
/// to the server.
public struct RevisionID: RawRepresentable, Hashable, Sendable, Codable {
  /// 1 to 128 characters.
  public let rawValue: String
  /// Takes a stored or received id.
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// The server's name for a message.
public struct ServerMessageID: RawRepresentable, Hashable, Sendable, Codable {
  /// The server's own text.
  public let rawValue: String
  /// Takes the server's text as it is.
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// Where catching up goes on from; only its backend can read it.
public struct SyncCursor: RawRepresentable, Hashable, Sendable, Codable {
  /// The backend's own text.
  public let rawValue: String
  /// Takes the backend's text as it is.
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// One life of a server's history; a restored backup or a reset starts another.
public struct Epoch: RawRepresentable, Hashable, Sendable, Codable {
  /// The backend's own text.
  public let rawValue: String
  /// Takes the backend's text as it is.
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// Where paging goes on from at the edge of a span, on backends that page by token.
public struct HistoryToken: RawRepresentable, Hashable, Sendable, Codable {
  /// The backend's own text.
  public let rawValue: String
  /// Takes the backend's text as it is.
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// An upload that was begun and can go on; only its backend can read it.
public struct UploadToken: RawRepresentable, Hashable, Sendable, Codable {
  /// The backend's own text.
  public let rawValue: String
  /// Takes the backend's text as it is.
  public init(rawValue: String) { self.rawValue = rawValue }
}
