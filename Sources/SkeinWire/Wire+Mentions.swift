extension Wire {
  /// The users that a message mentions.
  public struct Mentions: Codable, Sendable, Equatable {
    /// The users mentioned by their ids, at most 100. Missing if there are none.
    public var users: [UserID]?
    /// Whether every member is mentioned. Missing if false.
    public var everyone: Bool?

    /// Creates mentions of these users, or of everyone.
    public init(users: [UserID] = [], everyone: Bool = false) {
      self.users = users.isEmpty ? nil : users
      self.everyone = everyone ? true : nil
    }

    /// Whether nobody is mentioned.
    public var isEmpty: Bool { users?.isEmpty != false && everyone != true }
  }
}
