/// A setting of one conversation. It belongs to the account, and is the same on all devices of the account.
public enum ConversationSetting: String, Sendable, Hashable, Codable, CaseIterable {
  /// The conversation causes no alerts, except for messages that mention this account.
  case muted
  /// The conversation is listed above the conversations that are not pinned.
  case pinned
  /// The user wants to return to the conversation, whether it has unread messages or not.
  case markedUnread
}

extension Conversation {
  /// The shown value of a setting.
  public subscript(setting: ConversationSetting) -> Bool {
    switch setting {
    case .muted: isMuted
    case .pinned: isPinned
    case .markedUnread: isMarkedUnread
    }
  }
}

/// The settings of a conversation, as far as a server states them. A setting that is nil is not stated, and stays as it is
/// on the device.
public struct ConversationSettings: Sendable, Hashable {
  private var values: [ConversationSetting: Bool] = [:]

  /// Creates settings; none is stated by default.
  public init(isMuted: Bool? = nil, isPinned: Bool? = nil, isMarkedUnread: Bool? = nil) {
    (self[.muted], self[.pinned], self[.markedUnread]) = (isMuted, isPinned, isMarkedUnread)
  }

  /// The value of a setting; nil if it is not stated.
  public subscript(setting: ConversationSetting) -> Bool? {
    get { values[setting] }
    set { values[setting] = newValue }
  }
}

extension BackendCapabilities {
  /// Settings of conversations.
  public struct Settings: OptionSet, Sendable, Hashable {
    /// One bit per option.
    public let rawValue: Int
    /// Creates a set from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// Creates a set of one setting.
    public init(_ setting: ConversationSetting) {
      self =
        switch setting {
        case .muted: .muted
        case .pinned: .pinned
        case .markedUnread: .markedUnread
        }
    }
    /// ``ConversationSetting/muted``.
    public static let muted = Settings(rawValue: 1)
    /// ``ConversationSetting/pinned``.
    public static let pinned = Settings(rawValue: 2)
    /// ``ConversationSetting/markedUnread``.
    public static let markedUnread = Settings(rawValue: 4)
    /// All settings.
    public static let all: Settings = [.muted, .pinned, .markedUnread]

    /// Whether the set contains a setting.
    public func contains(_ setting: ConversationSetting) -> Bool { contains(Settings(setting)) }
  }
}
