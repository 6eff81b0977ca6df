/// A user or a group on the account's contact list.
public struct Contact: Sendable, Hashable, Identifiable {
  /// The backend's id of a contact.
  public enum ID: Sendable, Hashable {
    /// Another user.
    case user(UserID)
    /// A group, identified by its conversation.
    case group(ConversationRef)
  }
  /// The user or the group.
  public let id: ID
  /// The type of contact.
  public let type: ContactType
  /// The name that all users see.
  public let name: String
  /// The name that this account gave the contact; nil if there is none.
  public let remark: String?
  /// The location of the contact's picture; nil if there is none.
  public let avatar: String?
  /// This account's settings for the contact; nil if the server stores no settings.
  public let settings: ContactSettings?

  /// Describes a contact.
  public init(
    id: ID, type: ContactType, name: String, remark: String? = nil, avatar: String? = nil,
    settings: ContactSettings? = nil
  ) {
    self.id = id
    self.type = type
    self.name = name
    self.remark = remark
    self.avatar = avatar
    self.settings = settings
  }

  /// The remark, or the name if there is no remark.
  public var shownName: String { remark ?? name }

  /// The names that a search compares.
  package var searchableNames: [String] {
    let user: String? = if case .user(let user) = id { user.rawValue } else { nil }
    return [name, remark, user].compactMap(\.self)
  }

  /// Whether one contact precedes another in the list: by shown name, then by id.
  package static func isOrderedBefore(_ left: Contact, _ right: Contact) -> Bool {
    (left.shownName, left.id.rawValue) < (right.shownName, right.id.rawValue)
  }
}

extension Contact.ID: RawRepresentable {
  /// The type of id, a space, and the id.
  public var rawValue: String {
    switch self {
    case .user(let user): "user \(user.rawValue)"
    case .group(let ref): "group \(ref.rawValue)"
    }
  }

  /// Parses an id in the form of ``rawValue``; nil if the text has another form.
  public init?(rawValue: String) {
    let parts = rawValue.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    switch (parts.first, parts.last.map(String.init)) {
    case ("user", let name?) where parts.count == 2: self = .user(UserID(name))
    case ("group", let name?) where parts.count == 2: self = .group(ConversationRef(rawValue: name))
    default: return nil
    }
  }
}

/// The type of a contact; a backend may define more types.
public struct ContactType: RawRepresentable, Hashable, Sendable, Codable {
  /// The type's name.
  public let rawValue: String
  /// Creates a type from its name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Another user.
  public static let friend = ContactType(rawValue: "friend")
  /// A group with a title and members.
  public static let group = ContactType(rawValue: "group")
  /// A group that was not created as a group, but formed from a conversation.
  public static let discussionGroup = ContactType(rawValue: "discussionGroup")
}

/// An account's settings for a contact, the same on all devices of the account.
public struct ContactSettings: Sendable, Hashable {
  /// Whether only the contact's messages that mention this account cause alerts.
  public var isMuted: Bool
  /// Whether the contact's conversation is listed above the conversations that are not pinned.
  public var isPinned: Bool

  /// Creates settings; neither muted nor pinned by default.
  public init(isMuted: Bool = false, isPinned: Bool = false) {
    self.isMuted = isMuted
    self.isPinned = isPinned
  }
}
