extension Wire {
  /// The kind of a contact; a reader keeps unknown ones.
  public struct ContactKind: RawRepresentable, Codable, Sendable, Hashable {
    /// The name on the wire.
    public let rawValue: String
    /// A kind of this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Another user.
    public static let friend = ContactKind(rawValue: "friend")
    /// A group that the asker is a member of.
    public static let group = ContactKind(rawValue: "group")
  }

  /// Identifies a contact: another user, or a group's conversation.
  public struct ContactName: Codable, Sendable, Hashable {
    /// The other user.
    public var user: UserID?
    /// The group's conversation, if there is no user.
    public var conversation: ConversationID?

    /// Makes a name; exactly one of the two must not be nil.
    public init(user: UserID? = nil, conversation: ConversationID? = nil) {
      self.user = user
      self.conversation = conversation
    }
  }

  /// A contact as the owner of the contact list sees it.
  public struct Contact: Codable, Sendable, Equatable {
    /// The user or group.
    public var contact: ContactName
    /// The kind of contact.
    public var kind: ContactKind
    /// The user's display name or the group's title.
    public var name: String
    /// The list owner's own name for the contact.
    public var remark: String?
    /// Whether its alerts are muted.
    public var isMuted: Bool
    /// Whether it is listed above others.
    public var isPinned: Bool

    /// Makes a contact.
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

  /// Body of `POST /v1/contacts`: a contact to add or change; omitted fields stay as they are.
  public struct ContactRequest: Codable, Sendable, Equatable {
    /// The user or group; a group must be on the list already.
    public var contact: ContactName
    /// The list owner's own name for the contact, at most 128 characters; an empty name removes it.
    public var remark: String?
    /// Whether its alerts are muted.
    public var isMuted: Bool?
    /// Whether it is listed above others.
    public var isPinned: Bool?

    /// Makes a request.
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
    /// The version that the changes are relative to; nil for the whole list.
    public var from: ContactVersion?
    /// The version after these changes.
    public var next: ContactVersion
    /// New and changed contacts; all contacts if there is no `from`.
    public var changed: [Contact]
    /// Removed contacts.
    public var removed: [ContactName]
    /// The epoch of the versions.
    public var epoch: Epoch?

    /// Makes a page.
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
