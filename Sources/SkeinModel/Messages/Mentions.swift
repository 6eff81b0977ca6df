/// The users that a message mentions; they are alerted.
public struct Mentions: Sendable, Hashable, Codable {
  /// The users mentioned by name.
  public var users: [UserID]
  /// Whether everyone in the conversation is mentioned.
  public var everyone: Bool

  /// Nobody.
  public static let nobody = Mentions()

  /// Mentions these users.
  public init(_ users: [UserID] = [], everyone: Bool = false) {
    self.users = users
    self.everyone = everyone
  }

  /// Whether a user is mentioned by name, or because everyone is mentioned.
  public func include(_ user: UserID) -> Bool { everyone || users.contains(user) }
}
