#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The content of a recalled message.
///
/// This content replaces the original content permanently, on the server and on every device.
public struct RecalledContent: MessageContent {
  /// `recalled`.
  public static let kind: MessageKind = "recalled"
  /// The user who recalled the message.
  public var by: UserID
  /// Creates the content of a message that a user recalled.
  public init(by user: UserID) { by = user }
  /// A placeholder for a recalled message.
  public var displayedText: String { "[recalled]" }

  /// The encoded content.
  package static func payload(by user: UserID) -> Data {
    (try? KindRegistry.encode(RecalledContent(by: user))) ?? Data()
  }
}
