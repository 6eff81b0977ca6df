/// What somebody reacts with: an emoji, or a name that the app draws a picture for.
public struct ReactionKey: RawRepresentable, Hashable, Sendable, Codable, ExpressibleByStringLiteral {
  /// The emoji or the name, as the server has it.
  public let rawValue: String
  /// Takes a stored or received key.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Names a key in code.
  public init(stringLiteral value: String) { rawValue = value }
}

/// Those who reacted to a message in one way.
public struct Reaction: Sendable, Hashable, Codable {
  /// The way.
  public let key: ReactionKey
  /// Who reacted, in the server's order; where there are many, those that it names, this account among them.
  public let users: [UserID]
  /// How many reacted, named or not.
  public let count: Int

  /// Describes those who reacted in one way.
  ///
  /// - Parameter count: nil where all are named.
  public init(_ key: ReactionKey, users: [UserID], count: Int? = nil) {
    self.key = key
    self.users = users
    self.count = max(count ?? users.count, users.count)
  }

  /// Whether a user is known to have reacted so.
  public func isBy(_ user: UserID) -> Bool { users.contains(user) }
}

extension [Reaction] {
  /// The same with a user's reaction in one way, or without it; a way that nobody is left with goes.
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
