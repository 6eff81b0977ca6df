/// An id or another name on the wire. Each kind of name has its own type, so that different kinds can't be confused.
public protocol WireName: RawRepresentable, Codable, Sendable, Hashable, ExpressibleByStringLiteral,
  CustomStringConvertible
where RawValue == String {
  /// Wraps a name as written on the wire, without a check; the server checks names.
  init(rawValue: String)
}

extension WireName {
  /// Wraps the name in a literal, for tests and examples.
  public init(stringLiteral text: String) { self.init(rawValue: text) }

  /// The name itself.
  public var description: String { rawValue }
}

extension Wire {
  /// The id of an account, which never changes: 1 to 64 characters of `a`–`z`, `0`–`9`, `.`, `_`, `-`, but neither `.` nor
  /// `..`.
  public struct UserID: WireName {
    /// The id on the wire.
    public let rawValue: String
    /// Wraps an id without a check.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// The server's id of a conversation.
  public struct ConversationID: WireName {
    /// The id on the wire.
    public let rawValue: String
    /// Wraps an id without a check.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// The permanent id that the sender's client gives a message: 1 to 128 characters. Conversation, sender and id
  /// together are the idempotency key.
  public struct MessageID: WireName {
    /// The id on the wire.
    public let rawValue: String
    /// Wraps an id without a check.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// The server's id of a message, unique over all conversations.
  public struct ServerID: WireName {
    /// The id on the wire.
    public let rawValue: String
    /// Wraps an id without a check.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// A file's content address: the SHA-256 hash of its bytes, in 64 lower-case hexadecimal digits.
  public struct MediaID: WireName {
    /// The id on the wire.
    public let rawValue: String
    /// Wraps an id without a check.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// The id of an incomplete upload, valid only for the user who started the upload.
  public struct UploadID: WireName {
    /// The id on the wire.
    public let rawValue: String
    /// Wraps an id without a check.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// The place from which a sync continues. Clients do not interpret a cursor. A cursor is valid for one
  /// user, in one database and epoch.
  public struct Cursor: WireName {
    /// The cursor on the wire.
    public let rawValue: String
    /// Wraps a cursor without a check.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// A version of a contact list. Clients do not interpret a version. A version is valid for one user, in one
  /// database and epoch.
  public struct ContactVersion: WireName {
    /// The version on the wire.
    public let rawValue: String
    /// Wraps a version without a check.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// A period in the life of the server's database. Server ids, positions, cursors and contact versions are
  /// valid only within their epoch.
  public struct Epoch: WireName {
    /// The epoch on the wire.
    public let rawValue: String
    /// Wraps an epoch without a check.
    public init(rawValue: String) { self.rawValue = rawValue }
  }
}
