extension Wire {
  /// What a member does to a message that is there.
  public enum Revision: Sendable, Equatable {
    /// Its sender replaces kind and content.
    case edit(kind: String, content: String)
    /// Its sender takes it back: its kind is `recalled` from then on, and its content says by whom.
    case recall
    /// The asker reacts to it, or does so no more.
    case reaction(key: String, isSet: Bool)
    /// The asker pins it for everybody in the conversation, or does so no more.
    case pin(isSet: Bool)
  }

  /// Body of `POST /v1/conversations/{id}/revisions`.
  public struct RevisionRequest: Sendable, Equatable {
    /// Made once by the client (1 to 128 characters); asked again with it, nothing more is done.
    public var id: String
    /// The message, by the name that its sender's client gave it.
    public var message: MessageID
    /// Who sent the message.
    public var sender: UserID
    /// What is done to it.
    public var revision: Revision

    /// A revision under an id.
    public init(id: String, message: MessageID, sender: UserID, revision: Revision) {
      self.id = id
      self.message = message
      self.sender = sender
      self.revision = revision
    }
  }

  /// Those who reacted to a message in one way.
  public struct Reaction: Codable, Sendable, Equatable {
    /// What they reacted with, 1 to 64 characters.
    public var key: String
    /// Who they are, in the order in which they reacted.
    public var users: [UserID]

    /// The users of one key.
    public init(key: String, users: [UserID]) {
      self.key = key
      self.users = users
    }
  }
}

extension Wire.RevisionRequest: Codable {
  private enum CodingKeys: String, CodingKey { case id, message, sender, type, kind, content, key, isSet }
  private enum Kind: String, Codable { case edit, recall, reaction, pin }

  /// Reads the fields that the type asks for; an unknown type is a `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    id = try fields.decode(String.self, forKey: .id)
    message = try fields.decode(Wire.MessageID.self, forKey: .message)
    sender = try fields.decode(Wire.UserID.self, forKey: .sender)
    revision =
      switch try fields.decode(Kind.self, forKey: .type) {
      case .edit:
        .edit(
          kind: try fields.decode(String.self, forKey: .kind),
          content: try fields.decode(String.self, forKey: .content))
      case .recall: .recall
      case .reaction:
        .reaction(
          key: try fields.decode(String.self, forKey: .key),
          isSet: try fields.decode(Bool.self, forKey: .isSet))
      case .pin: .pin(isSet: try fields.decode(Bool.self, forKey: .isSet))
      }
  }

  /// Writes the type and its fields.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(id, forKey: .id)
    try fields.encode(message, forKey: .message)
    try fields.encode(sender, forKey: .sender)
    switch revision {
    case .edit(let kind, let content):
      try fields.encode(Kind.edit, forKey: .type)
      try fields.encode(kind, forKey: .kind)
      try fields.encode(content, forKey: .content)
    case .recall: try fields.encode(Kind.recall, forKey: .type)
    case .reaction(let key, let isSet):
      try fields.encode(Kind.reaction, forKey: .type)
      try fields.encode(key, forKey: .key)
      try fields.encode(isSet, forKey: .isSet)
    case .pin(let isSet):
      try fields.encode(Kind.pin, forKey: .type)
      try fields.encode(isSet, forKey: .isSet)
    }
  }
}
