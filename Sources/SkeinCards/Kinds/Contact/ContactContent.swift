public import Skein

/// A message that introduces a user.
public struct ContactContent: MessageContent {
  /// `contact`.
  public static let kind: MessageKind = "contact"
  /// The introduced user.
  public var user: UserID
  /// The user's name, if the sender gave one.
  public var name: String?

  /// Makes an introduction.
  public init(_ user: UserID, name: String? = nil) { (self.user, self.name) = (user, name) }

  /// The user's name or id, marked as a contact.
  public var displayedText: String { "[contact] \(name ?? user.rawValue)" }
  /// The given name and the user's id.
  public var searchableText: String? { [name, user.rawValue].compactMap(\.self).joined(separator: " ") }
}
