extension Wire {
  /// What sort of contact it is; a reader keeps one it doesn't know.
  public struct ContactKind: RawRepresentable, Codable, Sendable, Hashable {
    /// The name as it stands on the wire.
    public let rawValue: String
    /// A kind of this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Another user.
    public static let friend = ContactKind(rawValue: "friend")
    /// A group that the asker is a member of.
    public static let group = ContactKind(rawValue: "group")
  }

  /// Names a contact: another user, or a group's conversation.
  public struct ContactName: Codable, Sendable, Hashable {
    /// The other user.
    public var user: UserID?
    /// The group's conversation, where there is no user.
    public var conversation: ConversationID?

    /// A name of these parts, of which one is nil.
    public init(user: UserID? = nil, conversation: ConversationID? = nil) {
      self.user = user
      self.conversation = conversation
    }
  }

  /// A contact as its account sees it.
  public struct Contact: Codable, Sendable, Equatable {
    /// Whom or what it stands for.
    public var contact: ContactName
    /// What sort it is.
    public var kind: ContactKind
    /// What everybody calls it.
    public var name: String
    /// What the account calls it.
    public var remark: String?
    /// Whether the account wants no alerts of it.
    public var isMuted: Bool
    /// Whether the account wants it above others.
    public var isPinned: Bool

    /// A contact of these parts.
    public init(
      contact: ContactName, kind: ContactKind, name: String, remark: String? = nil, isMuted: Bool = false,
      isPinned: Bool = false
    ) {
      self.contact = contact
      self.kind = kind
      self.name = name
      self.remark = remark
      self.isMuted = isMuted
      self.isPinned = isPinned
    }
  }

  /// Body of `POST /v1/contacts`: who is to be on the list, and how; what is left out is as it was.
  public struct ContactRequest: Codable, Sendable, Equatable {
    /// Whom or what it stands for; a group must be on the list already.
    public var contact: ContactName
    /// What the account calls it, up to 128 characters; empty takes the remark away.
    public var remark: String?
    /// Whether the account wants no alerts of it.
    public var isMuted: Bool?
    /// Whether the account wants it above others.
    public var isPinned: Bool?

    /// A request of these parts.
    public init(
      contact: ContactName, remark: String? = nil, isMuted: Bool? = nil, isPinned: Bool? = nil
    ) {
      self.contact = contact
      self.remark = remark
      self.isMuted = isMuted
      self.isPinned = isPinned
    }
  }

  /// Answer of `GET /v1/contacts`.
  public struct ContactPage: Codable, Sendable, Equatable {
    /// The version that it goes on from; none for the whole list.
    public var from: ContactVersion?
    /// The version that it leads to.
    public var next: ContactVersion
    /// Contacts that are new or have changed; all there are where there is no `from`.
    public var changed: [Contact]
    /// Contacts that are no more.
    public var removed: [ContactName]
    /// The life of the database that the versions belong to.
    public var epoch: Epoch?

    /// A difference of these parts.
    public init(
      from: ContactVersion?, next: ContactVersion, changed: [Contact], removed: [ContactName],
      epoch: Epoch? = nil
    ) {
      self.from = from
      self.next = next
      self.changed = changed
      self.removed = removed
      self.epoch = epoch
    }
  }
}
