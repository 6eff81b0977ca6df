/// The users that a message mentions. A mention alerts a user even in a muted chat.
public struct Mentions: Sendable, Hashable, Codable {
  /// The users mentioned by their ids.
  public var users: [UserID]
  /// Whether everyone in the conversation is mentioned.
  public var everyone: Bool

  /// Nobody.
  public static let nobody = Mentions()

  /// Creates mentions of these users.
  public init(_ users: [UserID] = [], everyone: Bool = false) {
    self.users = users
    self.everyone = everyone
  }

  /// Whether a user is mentioned, by the user's id or because everyone is mentioned.
  public func include(_ user: UserID) -> Bool { everyone || users.contains(user) }
}
