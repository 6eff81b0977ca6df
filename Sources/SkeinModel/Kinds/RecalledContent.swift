#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// What is left of a message that was taken back from everybody.
///
/// It takes the place of whatever the message said, on the server and on every device, and nothing takes its place.
public struct RecalledContent: MessageContent {
  /// `recalled`.
  public static let kind: MessageKind = "recalled"
  /// Who took it back.
  public var by: UserID
  /// Says who took it back.
  public init(by user: UserID) { by = user }
  /// That it was recalled.
  public var displayedText: String { "[recalled]" }

  /// The bytes of it.
  package static func payload(by user: UserID) -> Data {
    (try? KindRegistry.encode(RecalledContent(by: user))) ?? Data()
  }
}
