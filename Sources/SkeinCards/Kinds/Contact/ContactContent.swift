public import Skein

/// A message that introduces somebody.
public struct ContactContent: MessageContent {
  /// `contact`.
  public static let kind: MessageKind = "contact"
  /// Who is introduced.
  public var user: UserID
  /// What they are called, where the sender says so.
  public var name: String?

  /// Introduces somebody.
  public init(_ user: UserID, name: String? = nil) { (self.user, self.name) = (user, name) }

  /// What they are called.
  public var displayedText: String { "[contact] \(name ?? user.rawValue)" }
  /// What they are called, and their name on the server.
  public var searchableText: String? { [name, user.rawValue].compactMap(\.self).joined(separator: " ") }
}
