/// The key of a reaction: an emoji, or the name of a picture that the app draws.
public struct ReactionKey: RawRepresentable, Hashable, Sendable, Codable, ExpressibleByStringLiteral {
  /// The emoji or the name, as the server stores it.
  public let rawValue: String
  /// Wraps a stored or received key.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Creates a key from a string literal.
  public init(stringLiteral value: String) { rawValue = value }
}

/// The users who reacted to a message with one key.
public struct Reaction: Sendable, Hashable, Codable {
  /// The key.
  public let key: ReactionKey
  /// The users, in the server's order. If there are many users, the server may return only some of these
  /// users. The server always returns this account if this account reacted.
  public let users: [UserID]
  /// The number of users who reacted, including users that ``users`` does not contain.
  public let count: Int

  /// Creates a reaction.
  ///
  /// - Parameter count: nil if `users` contains all users who reacted.
  public init(_ key: ReactionKey, users: [UserID], count: Int? = nil) {
    self.key = key
    self.users = users
    self.count = max(count ?? users.count, users.count)
  }

  /// Whether ``users`` contains a user.
  public func isBy(_ user: UserID) -> Bool { users.contains(user) }
}

extension [Reaction] {
  /// Returns the reactions after a user has added or removed a reaction; a reaction whose count becomes 0 is
  /// removed.
  package func setting(_ key: ReactionKey, by user: UserID, to isSet: Bool) -> [Reaction] {
    guard let index = firstIndex(where: { $0.key == key }) else {
      return isSet ? self + [Reaction(key, users: [user])] : self
    }
    let known = self[index]
    guard known.isBy(user) != isSet else { return self }
    var result = self
    let users = isSet ? known.users + [user] : known.users.filter { $0 != user }
    let count = known.count + (isSet ? 1 : -1)
    if count == 0 {
      result.remove(at: index)
    } else {
      result[index] = Reaction(key, users: users, count: count)
    }
    return result
  }
}
