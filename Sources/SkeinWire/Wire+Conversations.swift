extension Wire {
  /// The kind of a conversation; a reader keeps unknown ones.
  public struct ConversationKind: RawRepresentable, Codable, Sendable, Hashable {
    /// The name on the wire.
    public let rawValue: String
    /// A kind of this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A conversation of two users, at most one for each pair.
    public static let direct = ConversationKind(rawValue: "direct")
    /// A conversation of up to a thousand users, with a title.
    public static let group = ConversationKind(rawValue: "group")
  }

  /// Body of `POST /v1/conversations`.
  public enum ConversationRequest: Sendable, Equatable {
    /// The one conversation with another user, created if there is none yet.
    case direct(peer: UserID)
    /// A group; the client chooses `id` (1 to 128 characters), and a repeated request returns the same group. The asker is
    /// always a member.
    case group(id: String, title: String, members: [UserID])
  }

  /// A conversation as one of its members sees it.
  public struct Conversation: Codable, Sendable, Equatable {
    /// The server's name for it.
    public var id: ConversationID
    /// The kind of conversation.
    public var kind: ConversationKind
    /// A group's title.
    public var title: String?
    /// In a direct conversation, the other user.
    public var peer: UserID?
    /// All members, the asker included, sorted.
    public var members: [UserID]
    /// The newest message's position, 0 if there is none.
    public var head: Int64
    /// The asker's read mark, 0 if there is none.
    public var readPosition: Int64
    /// The receipts of other members; members without receipts are omitted. Missing if there are none.
    public var receipts: [Receipt]?

    /// Makes a conversation.
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

  /// The last positions delivered to and read by another member, on any device.
  public struct Receipt: Codable, Sendable, Equatable {
    /// The member.
    public var user: UserID
    /// The last delivered position, read or not; only increases.
    public var delivered: Int64
    /// The last read position; only increases.
    public var read: Int64

    /// Makes a receipt.
    public init(user: UserID, delivered: Int64, read: Int64) {
      self.user = user
      self.delivered = delivered
      self.read = read
    }
  }

  /// Body of `POST /v1/deliveries`.
  public struct DeliveryRequest: Codable, Sendable, Equatable {
    /// The sync cursor up to which everything is stored on the device.
    public var cursor: Cursor

    /// Makes a request.
    public init(cursor: Cursor) { self.cursor = cursor }
  }

  /// Body of `POST /v1/conversations/{id}/read`.
  public struct ReadRequest: Codable, Sendable, Equatable {
    /// The newest read position, 0 or more; a position beyond the head counts as the head.
    public var position: Int64
    /// The epoch of the position; the server refuses any epoch other than its own.
    public var epoch: Epoch?

    /// Makes a request.
    public init(position: Int64, epoch: Epoch? = nil) {
      self.position = position
      self.epoch = epoch
    }
  }

  /// Answer of `POST /v1/conversations/{id}/read`.
  public struct ReadMark: Codable, Sendable, Equatable {
    /// The asker's read mark on all devices; only increases.
    public var readPosition: Int64

    /// Makes a mark.
    public init(readPosition: Int64) { self.readPosition = readPosition }
  }
}

extension Wire.ConversationRequest: Codable {
  private enum CodingKeys: String, CodingKey { case kind, peer, id, title, members }

  /// Reads the fields of the kind; throws a `DecodingError` for an unknown kind.
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
