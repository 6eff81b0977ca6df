/// Somebody or something on the account's contact list.
public struct Contact: Sendable, Hashable, Identifiable {
  /// What names a contact, by the backend's own names.
  public enum ID: Sendable, Hashable {
    /// Another user.
    case user(UserID)
    /// A group, by its conversation.
    case group(ConversationRef)
  }
  /// Whom or what it stands for.
  public let id: ID
  /// What sort of contact it is.
  public let type: ContactType
  /// What everybody calls it.
  public let name: String
  /// What this account calls it; nil where it has no name of its own for it.
  public let remark: String?
  /// Where its picture is; nil where it has none.
  public let avatar: String?
  /// How this account wants it treated; nil where the server keeps no such thing.
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

  /// The remark, else the name.
  public var shownName: String { remark ?? name }

  /// What a search by name looks at.
  package var searchableNames: [String] {
    let user: String? = if case .user(let user) = id { user.rawValue } else { nil }
    return [name, remark, user].compactMap(\.self)
  }

  /// The list's order: by what is shown, then by what it stands for.
  package static func isOrderedBefore(_ left: Contact, _ right: Contact) -> Bool {
    (left.shownName, left.id.rawValue) < (right.shownName, right.id.rawValue)
  }
}

extension Contact.ID: RawRepresentable {
  /// The sort of name, a space, and the name.
  public var rawValue: String {
    switch self {
    case .user(let user): "user \(user.rawValue)"
    case .group(let ref): "group \(ref.rawValue)"
    }
  }

  /// Takes a stored name back.
  public init?(rawValue: String) {
    let parts = rawValue.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    switch (parts.first, parts.last.map(String.init)) {
    case ("user", let name?) where parts.count == 2: self = .user(UserID(name))
    case ("group", let name?) where parts.count == 2: self = .group(ConversationRef(rawValue: name))
    default: return nil
    }
  }
}

/// What sort of contact it is; a backend may have more.
public struct ContactType: RawRepresentable, Hashable, Sendable, Codable {
  /// The sort's name.
  public let rawValue: String
  /// Names a sort.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Another user.
  public static let friend = ContactType(rawValue: "friend")
  /// A group with a title and members.
  public static let group = ContactType(rawValue: "group")
  /// A group that somebody made of a conversation, without founding one.
  public static let discussionGroup = ContactType(rawValue: "discussionGroup")
}

/// How an account wants a contact treated, on all of its devices.
public struct ContactSettings: Sendable, Hashable {
  /// Whether its messages alert.
  public var isMuted: Bool
  /// Whether its conversation stands above the others.
  public var isPinned: Bool

  /// Neither muted nor pinned, unless it is said.
  public init(isMuted: Bool = false, isPinned: Bool = false) {
    self.isMuted = isMuted
    self.isPinned = isPinned
  }
}
