extension Wire {
  /// A member's change of a stored message.
  public enum Revision: Sendable, Equatable {
    /// The sender replaces the kind and the content.
    case edit(kind: String, content: String)
    /// The sender recalls the message. The message's kind becomes `recalled`, and its content names the
    /// sender. Its parameters, mentions, reactions, flags and quote are removed.
    case recall
    /// The asker adds or removes a reaction.
    case reaction(key: String, isSet: Bool)
    /// The asker sets or removes a flag: `pin`, which all members see, or `star`, which only the asker sees.
    case flag(String, isSet: Bool)
  }

  /// Body of `POST /v1/conversations/{id}/revisions`.
  public struct RevisionRequest: Sendable, Equatable {
    /// The id that the client gave the change, 1 to 128 characters. A repeated request with this id changes nothing.
    public var id: String
    /// The id that the sender's client gave the message.
    public var message: MessageID
    /// The message's sender.
    public var sender: UserID
    /// The change.
    public var revision: Revision

    /// Creates a request.
    public init(id: String, message: MessageID, sender: UserID, revision: Revision) {
      self.id = id
      self.message = message
      self.sender = sender
      self.revision = revision
    }
  }

  /// A reaction to a message, and the users who reacted with it.
  public struct Reaction: Codable, Sendable, Equatable {
    /// The reaction, such as an emoji, 1 to 64 characters.
    public var key: String
    /// The users, in the order of their latest reactions.
    public var users: [UserID]

    /// Creates a reaction.
    public init(key: String, users: [UserID]) {
      self.key = key
      self.users = users
    }
  }
}

extension Wire.RevisionRequest: Codable {
  private enum CodingKeys: String, CodingKey {
    case id, message, sender, type, kind, content, key, flag, isSet
  }
  private enum Kind: String, Codable { case edit, recall, reaction, flag }

  /// Decodes the type and its fields; throws a `DecodingError` for an unknown type.
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
      case .flag:
        .flag(
          try fields.decode(String.self, forKey: .flag), isSet: try fields.decode(Bool.self, forKey: .isSet))
      }
  }

  /// Encodes the type and its fields.
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
    case .flag(let flag, let isSet):
      try fields.encode(Kind.flag, forKey: .type)
      try fields.encode(flag, forKey: .flag)
      try fields.encode(isSet, forKey: .isSet)
    }
  }
}
