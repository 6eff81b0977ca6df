extension Wire {
  /// The kind of a contact. A client must accept unknown kinds.
  public struct ContactKind: RawRepresentable, Codable, Sendable, Hashable {
    /// The name on the wire.
    public let rawValue: String
    /// Wraps a name from the wire.
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

    /// Creates the identification; pass either `user` or `conversation`.
    public init(user: UserID? = nil, conversation: ConversationID? = nil) {
      self.user = user
      self.conversation = conversation
    }
  }

  /// A contact as the owner of the contact list sees it.
  public struct Contact: Codable, Sendable, Equatable {
    /// The contact's user or group.
    public var contact: ContactName
    /// The kind of contact.
    public var kind: ContactKind
    /// The user's display name or the group's title.
    public var name: String
    /// The name that the owner of the list gave the contact.
    public var remark: String?
    /// Whether the contact's messages cause no alerts.
    public var isMuted: Bool
    /// Whether the contact is listed above the contacts that are not pinned.
    public var isPinned: Bool

    /// Creates a contact.
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

  /// Body of `POST /v1/contacts`: a user to add to the list, or a contact to change. Missing fields of a contact stay
  /// unchanged.
  public struct ContactRequest: Codable, Sendable, Equatable {
    /// The user or group. A group must already be on the list.
    public var contact: ContactName
    /// The name that the owner of the list gives the contact, at most 128 characters; an empty text removes the name.
    public var remark: String?
    /// Whether the contact's messages cause no alerts.
    public var isMuted: Bool?
    /// Whether the contact is listed above the contacts that are not pinned.
    public var isPinned: Bool?

    /// Creates a request.
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
    /// The version that the changes start from; nil for the whole list.
    public var from: ContactVersion?
    /// The version after these changes.
    public var next: ContactVersion
    /// The new and the changed contacts; all contacts if there is no `from`.
    public var changed: [Contact]
    /// The removed contacts; empty if there is no `from`.
    public var removed: [ContactName]
    /// The epoch of the versions.
    public var epoch: Epoch?

    /// Creates a page.
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
