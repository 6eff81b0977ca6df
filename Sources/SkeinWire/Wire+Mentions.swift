extension Wire {
  /// Whom a message calls, so that they hear of it.
  public struct Mentions: Codable, Sendable, Equatable {
    /// Who is called by name, at most 100. Missing if nobody.
    public var users: [UserID]?
    /// Whether everyone in the conversation is called. Missing if not.
    public var everyone: Bool?

    /// Calls these users, or everyone.
    public init(users: [UserID] = [], everyone: Bool = false) {
      self.users = users.isEmpty ? nil : users
      self.everyone = everyone ? true : nil
    }

    /// Whether nobody is called.
    public var isEmpty: Bool { users?.isEmpty != false && everyone != true }
  }
}
