#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

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

  /// As it is stored: JSON; nil where nobody is called.
  var stored: Data? { self == .nobody ? nil : try? JSONEncoder().encode(self) }

  init(stored: Data?) {
    self = stored.flatMap { try? JSONDecoder().decode(Self.self, from: $0) } ?? .nobody
  }
}
