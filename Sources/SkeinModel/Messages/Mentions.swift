/// Whom a message calls, so that they hear of it.
public struct Mentions: Sendable, Hashable, Codable {
  /// Who is called by name.
  public var users: [UserID]
  /// Whether everyone in the conversation is called.
  public var everyone: Bool

  /// Nobody.
  public static let nobody = Mentions()

  /// Calls these users.
  public init(_ users: [UserID] = [], everyone: Bool = false) {
    self.users = users
    self.everyone = everyone
  }

  /// Whether somebody is called, by name or with everyone.
  public func include(_ user: UserID) -> Bool { everyone || users.contains(user) }
}
