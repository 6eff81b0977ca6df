#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The kinds of message that an app understands.
public struct KindRegistry: Sendable {
  private struct Entry: Sendable {
    let type: any MessageContent.Type
    let decode: @Sendable (Data) throws -> any MessageContent
  }
  private var entries: [MessageKind: Entry] = [:]

  /// Registers kinds; of two types with one name the later wins.
  public init(_ types: any MessageContent.Type...) {
    for type in types { register(type) }
  }

  /// Lets messages of a kind be read; a type registered later under the same name replaces the earlier.
  public mutating func register<Content: MessageContent>(_ type: Content.Type) {
    entries[Content.kind] = Entry(type: type) { try JSONDecoder().decode(Content.self, from: $0) }
  }

  /// Reads stored or received bytes; what can't be read is unknown, with its bytes.
  public func decode(_ kind: MessageKind, _ payload: Data) -> StoredContent {
    guard let entry = entries[kind], let content = try? entry.decode(payload) else {
      return .unknown(kind, payload: payload)
    }
    return .known(content)
  }

  /// The bytes that are stored and sent: JSON with sorted keys, so that the same content gives the same bytes.
  public static func encode(_ content: some MessageContent) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(content)
  }

  /// Whether an unread message of the kind is counted; unknown kinds are.
  package func isCountable(_ kind: MessageKind) -> Bool { entries[kind]?.type.isCountable ?? true }

  /// Whether attachments of the kind are fetched as soon as a message comes.
  package func isFetchedOnReceipt(_ kind: MessageKind) -> Bool {
    entries[kind]?.type.isFetchedOnReceipt ?? false
  }
}

extension KindRegistry {
  /// The kinds that Skein brings along: text, image, video, audio, file, sticker, location, merged forward and recalled.
  public static var standard: KindRegistry {
    KindRegistry(
      TextContent.self, ImageContent.self, VideoContent.self, AudioContent.self, FileContent.self,
      StickerContent.self, LocationContent.self, MergedForwardContent.self, RecalledContent.self)
  }
}
