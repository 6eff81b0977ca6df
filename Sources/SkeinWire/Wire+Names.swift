/// A string on the wire with a type of its own, so that names of different things can't be confused.
public protocol WireName: RawRepresentable, Codable, Sendable, Hashable, ExpressibleByStringLiteral,
  CustomStringConvertible
where RawValue == String {
  /// The name as written on the wire; the server validates it.
  init(rawValue: String)
}

extension WireName {
  /// The name in a literal, for tests and examples.
  public init(stringLiteral text: String) { self.init(rawValue: text) }

  /// The name itself.
  public var description: String { rawValue }
}

extension Wire {
  /// An account's name: 1 to 64 of `a`–`z`, `0`–`9`, `.`, `_`, `-`. Never changes.
  public struct UserID: WireName {
    /// The name on the wire.
    public let rawValue: String
    /// A name, unchecked.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// The server's name for a conversation.
  public struct ConversationID: WireName {
    /// The name on the wire.
    public let rawValue: String
    /// A name, unchecked.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// The permanent id that the sender's client gives a message: 1 to 128 characters. Together with
  /// conversation and sender, it is the idempotency key.
  public struct MessageID: WireName {
    /// The name on the wire.
    public let rawValue: String
    /// A name, unchecked.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// The server's name for a message, unique over all conversations.
  public struct ServerID: WireName {
    /// The name on the wire.
    public let rawValue: String
    /// A name, unchecked.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// A file's content address: its SHA-256 in 64 lower-case hexadecimal digits.
  public struct MediaID: WireName {
    /// The name on the wire.
    public let rawValue: String
    /// A name, unchecked.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// An incomplete upload, valid for the user who started it.
  public struct UploadID: WireName {
    /// The name on the wire.
    public let rawValue: String
    /// A name, unchecked.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// The point from which a sync continues; opaque to clients, valid for one user and one database.
  public struct Cursor: WireName {
    /// The cursor on the wire.
    public let rawValue: String
    /// A cursor, unchecked.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// A version of a contact list; opaque to clients, valid for one user and one database.
  public struct ContactVersion: WireName {
    /// The version on the wire.
    public let rawValue: String
    /// A version, unchecked.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// A period in the life of the server's database; positions and cursors are valid only within their epoch.
  public struct Epoch: WireName {
    /// The epoch on the wire.
    public let rawValue: String
    /// An epoch, unchecked.
    public init(rawValue: String) { self.rawValue = rawValue }
  }
}
