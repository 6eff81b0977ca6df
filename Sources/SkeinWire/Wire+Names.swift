/// What names something on the wire: a string with a type of its own, so that one name is never taken for another.
public protocol WireName: RawRepresentable, Codable, Sendable, Hashable, ExpressibleByStringLiteral,
  CustomStringConvertible
where RawValue == String {
  /// The name as it stands on the wire; what it may hold is the server's to check.
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
    /// The name as it stands on the wire.
    public let rawValue: String
    /// A name, unchecked.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// The server's name for a conversation.
  public struct ConversationID: WireName {
    /// The name as it stands on the wire.
    public let rawValue: String
    /// A name, unchecked.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// The name a sender's client gave a message, for life: 1 to 128 characters; with conversation and sender it is the
  /// idempotency key.
  public struct MessageID: WireName {
    /// The name as it stands on the wire.
    public let rawValue: String
    /// A name, unchecked.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// The server's name for a message, unique over all conversations.
  public struct ServerID: WireName {
    /// The name as it stands on the wire.
    public let rawValue: String
    /// A name, unchecked.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// A file's content address: its SHA-256 in 64 lower-case hexadecimal digits.
  public struct MediaID: WireName {
    /// The name as it stands on the wire.
    public let rawValue: String
    /// A name, unchecked.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// An upload that was begun; good for the user who began it.
  public struct UploadID: WireName {
    /// The name as it stands on the wire.
    public let rawValue: String
    /// A name, unchecked.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// Where a sync goes on from; opaque to clients, good for one user and one database.
  public struct Cursor: WireName {
    /// The cursor as it stands on the wire.
    public let rawValue: String
    /// A cursor, unchecked.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// Where a contact list stands; opaque to clients, good for one user and one database.
  public struct ContactVersion: WireName {
    /// The version as it stands on the wire.
    public let rawValue: String
    /// A version, unchecked.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// Names one life of the server's database; another epoch means that positions and cursors start afresh.
  public struct Epoch: WireName {
    /// The epoch as it stands on the wire.
    public let rawValue: String
    /// An epoch, unchecked.
    public init(rawValue: String) { self.rawValue = rawValue }
  }
}
