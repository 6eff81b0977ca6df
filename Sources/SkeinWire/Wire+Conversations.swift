extension Wire {
  /// The kind of a conversation. A client must accept unknown kinds.
  public struct ConversationKind: RawRepresentable, Codable, Sendable, Hashable {
    /// The name on the wire.
    public let rawValue: String
    /// Wraps a name from the wire.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A conversation of two users; each pair of users has at most one direct conversation.
    public static let direct = ConversationKind(rawValue: "direct")
    /// A conversation of at most 1,000 users, with a title.
    public static let group = ConversationKind(rawValue: "group")
  }

  /// Body of `POST /v1/conversations`.
  public enum ConversationRequest: Sendable, Equatable {
    /// The direct conversation with another user; the server creates the conversation if it does not exist.
    case direct(peer: UserID)
    /// A group. The client chooses `id` (1 to 128 characters). A repeated request of the same user with this
    /// id returns the same group. The asker becomes a member, even if `members` does not contain the asker.
    case group(id: String, title: String, members: [UserID])
  }

  /// A conversation as one of its members sees it.
  public struct Conversation: Codable, Sendable, Equatable {
    /// The server's id of the conversation.
    public var id: ConversationID
    /// The kind of conversation.
    public var kind: ConversationKind
    /// A group's title.
    public var title: String?
    /// The other user of a direct conversation.
    public var peer: UserID?
    /// All members, including the asker, sorted.
    public var members: [UserID]
    /// The position of the newest message; 0 if there is no message.
    public var head: Int64
    /// The asker's read mark: the position up to which the asker has read; 0 if there is no mark.
    public var readPosition: Int64
    /// The receipts of the other members. Members without a receipt are omitted; the field is missing if there are no
    /// receipts.
    public var receipts: [Receipt]?
    /// The asker's settings, all of them; missing on servers of earlier versions.
    public var settings: ConversationSettings?

    /// Creates a conversation.
    public init(
      id: ConversationID, kind: ConversationKind, title: String? = nil, peer: UserID? = nil,
      members: [UserID],
      head: Int64, readPosition: Int64, receipts: [Receipt] = [],
      settings: ConversationSettings? = nil
    ) {
      self.id = id
      self.kind = kind
      self.title = title
      self.peer = peer
      self.members = members
      self.head = head
      self.readPosition = readPosition
      self.receipts = receipts.isEmpty ? nil : receipts
      self.settings = settings
    }
  }

  /// The last position delivered to another member, and the last position that the member has read, on any device.
  public struct Receipt: Codable, Sendable, Equatable {
    /// The member.
    public var user: UserID
    /// The last position delivered to the member, whether the member has read it or not; never decreases.
    public var delivered: Int64
    /// The last position that the member has read; never decreases.
    public var read: Int64

    /// Creates a receipt.
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

    /// Creates a request.
    public init(cursor: Cursor) { self.cursor = cursor }
  }

  /// Body of `POST /v1/conversations/{id}/read`.
  public struct ReadRequest: Codable, Sendable, Equatable {
    /// The position up to which the asker has read, 0 or more. A position above the newest message counts as the
    /// position of the newest message.
    public var position: Int64
    /// The epoch of the position; the server refuses any epoch other than its own.
    public var epoch: Epoch?

    /// Creates a request.
    public init(position: Int64, epoch: Epoch? = nil) {
      self.position = position
      self.epoch = epoch
    }
  }

  /// Body of `POST /v1/conversations/{id}/settings`, which contains the settings to change, and its answer, which contains
  /// all settings. Each member has settings of their own, which no other member sees.
  public struct ConversationSettings: Codable, Sendable, Equatable {
    /// Whether only messages that mention the asker cause alerts.
    public var isMuted: Bool?
    /// Whether the conversation is listed above the conversations that are not pinned.
    public var isPinned: Bool?
    /// Whether the asker has marked the conversation as unread.
    public var isMarkedUnread: Bool?

    /// Creates settings.
    public init(isMuted: Bool? = nil, isPinned: Bool? = nil, isMarkedUnread: Bool? = nil) {
      self.isMuted = isMuted
      self.isPinned = isPinned
      self.isMarkedUnread = isMarkedUnread
    }
  }

  /// Answer of `POST /v1/conversations/{id}/read`.
  public struct ReadMark: Codable, Sendable, Equatable {
    /// The asker's read mark on all devices; never decreases.
    public var readPosition: Int64

    /// Creates a mark.
    public init(readPosition: Int64) { self.readPosition = readPosition }
  }
}

extension Wire.ConversationRequest: Codable {
  private enum CodingKeys: String, CodingKey { case kind, peer, id, title, members }

  /// Decodes the kind and its fields; throws a `DecodingError` for an unknown kind.
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

  /// Encodes the kind and its fields.
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
