extension Wire {
  /// What sort of conversation it is; a reader keeps one it doesn't know.
  public struct ConversationKind: RawRepresentable, Codable, Sendable, Hashable {
    /// The name as it stands on the wire.
    public let rawValue: String
    /// A kind of this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Between two users, once per pair.
    public static let direct = ConversationKind(rawValue: "direct")
    /// With a title, among up to a thousand users.
    public static let group = ConversationKind(rawValue: "group")
  }

  /// Body of `POST /v1/conversations`.
  public enum ConversationRequest: Sendable, Equatable {
    /// The one conversation with another user, made if there is none yet.
    case direct(peer: UserID)
    /// A group; `id` is made by the client (1 to 128 characters) and finds the same group again when it is asked for
    /// twice. The asker is a member without being named.
    case group(id: String, title: String, members: [UserID])
  }

  /// A conversation as one of its members sees it.
  public struct Conversation: Codable, Sendable, Equatable {
    /// The server's name for it.
    public var id: ConversationID
    /// What sort it is.
    public var kind: ConversationKind
    /// A group's title.
    public var title: String?
    /// In a direct conversation, the user who isn't the asker.
    public var peer: UserID?
    /// Everyone in it, the asker too, sorted.
    public var members: [UserID]
    /// The newest message's position, 0 if there is none.
    public var head: Int64
    /// How far the asker has read, 0 if not at all.
    public var readPosition: Int64
    /// How far the others are, those of whom there is something to say. Missing if there is nothing.
    public var receipts: [Receipt]?

    /// A conversation of these parts.
    public init(
      id: ConversationID, kind: ConversationKind, title: String? = nil, peer: UserID? = nil,
      members: [UserID],
      head: Int64, readPosition: Int64, receipts: [Receipt] = []
    ) {
      self.id = id
      self.kind = kind
      self.title = title
      self.peer = peer
      self.members = members
      self.head = head
      self.readPosition = readPosition
      self.receipts = receipts.isEmpty ? nil : receipts
    }
  }

  /// How far somebody else in a conversation is with its messages, on any device.
  public struct Receipt: Codable, Sendable, Equatable {
    /// Who.
    public var user: UserID
    /// The last position that they have got, read or not; only ever grows.
    public var delivered: Int64
    /// The last position that they have read; only ever grows.
    public var read: Int64

    /// How far a user is.
    public init(user: UserID, delivered: Int64, read: Int64) {
      self.user = user
      self.delivered = delivered
      self.read = read
    }
  }

  /// Body of `POST /v1/deliveries`.
  public struct DeliveryRequest: Codable, Sendable, Equatable {
    /// Up to where all that concerns the asker is on a device's disk.
    public var cursor: Cursor

    /// All up to a cursor.
    public init(cursor: Cursor) { self.cursor = cursor }
  }

  /// Body of `POST /v1/conversations/{id}/read`.
  public struct ReadRequest: Codable, Sendable, Equatable {
    /// The newest position that was read, from 0; one past the head counts as the head.
    public var position: Int64
    /// The life of the database that the position belongs to; where it is another, nothing is read.
    public var epoch: Epoch?

    /// A read mark at a position.
    public init(position: Int64, epoch: Epoch? = nil) {
      self.position = position
      self.epoch = epoch
    }
  }

  /// Answer of `POST /v1/conversations/{id}/read`.
  public struct ReadMark: Codable, Sendable, Equatable {
    /// How far the asker has read on any device; only ever grows.
    public var readPosition: Int64

    /// A mark at a position.
    public init(readPosition: Int64) { self.readPosition = readPosition }
  }
}

extension Wire.ConversationRequest: Codable {
  private enum CodingKeys: String, CodingKey { case kind, peer, id, title, members }

  /// Reads the fields that the kind asks for; an unknown kind is a `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    switch try fields.decode(Wire.ConversationKind.self, forKey: .kind) {
    case .direct:
      self = .direct(peer: try fields.decode(Wire.UserID.self, forKey: .peer))
    case .group:
      self = .group(
        id: try fields.decode(String.self, forKey: .id),
        title: try fields.decode(String.self, forKey: .title),
        members: try fields.decode([Wire.UserID].self, forKey: .members))
    default:
      throw DecodingError.dataCorruptedError(
        forKey: .kind, in: fields, debugDescription: "A conversation is direct or a group.")
    }
  }

  /// Writes the kind and its fields.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .direct(let peer):
      try fields.encode(Wire.ConversationKind.direct, forKey: .kind)
      try fields.encode(peer, forKey: .peer)
    case .group(let id, let title, let members):
      try fields.encode(Wire.ConversationKind.group, forKey: .kind)
      try fields.encode(id, forKey: .id)
      try fields.encode(title, forKey: .title)
      try fields.encode(members, forKey: .members)
    }
  }
}
