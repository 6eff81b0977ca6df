#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
internal import Synchronization

/// The kinds of message that an app can decode.
public struct KindRegistry: Sendable {
  private struct Entry: Sendable {
    let type: any MessageContent.Type
    let decode: @Sendable (Data) throws -> any MessageContent
  }
  private var entries: [MessageKind: Entry] = [:]

  /// Registers kinds. If two types have the same kind, the later type is used.
  public init(_ types: any MessageContent.Type...) {
    for type in types { register(type) }
  }

  /// Registers a kind. The type replaces a type that was registered earlier for the same kind.
  public mutating func register<Content: MessageContent>(_ type: Content.Type) {
    entries[Content.kind] = Entry(type: type) { try JSONDecoder().decode(Content.self, from: $0) }
  }

  /// Decodes stored or received bytes. If that fails, the content is unknown and keeps its bytes.
  public func decode(_ kind: MessageKind, _ payload: Data) -> StoredContent {
    guard let entry = entries[kind], let content = try? entry.decode(payload) else {
      return .unknown(kind, payload: payload)
    }
    return .known(content)
  }

  /// The same kinds, with a memory of contents that were decoded already.
  ///
  /// For a program that has many clients, which receive the same messages.
  ///
  /// - Parameter limit: How many contents of each kind are kept.
  package func remembering(_ limit: Int) -> KindRegistry {
    var registry = self
    registry.entries = entries.mapValues { entry in
      let memory = DecodedContents(limit: limit)
      return Entry(type: entry.type) { try memory.content(of: $0, entry.decode) }
    }
    return registry
  }

  /// Encodes a content to the bytes that are stored and sent: JSON with sorted keys, so that equal contents give
  /// equal bytes.
  public static func encode(_ content: some MessageContent) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(content)
  }

  /// Whether unread messages of the kind are counted; true for unknown kinds.
  package func isCountable(_ kind: MessageKind) -> Bool { entries[kind]?.type.isCountable ?? true }

  /// Whether the attachments of a message of the kind are fetched as soon as the message arrives; false for unknown
  /// kinds.
  package func isFetchedOnReceipt(_ kind: MessageKind) -> Bool {
    entries[kind]?.type.isFetchedOnReceipt ?? false
  }
}

/// Decoded contents of one kind, by their bytes.
private final class DecodedContents: Sendable {
  private let limit: Int
  private let contents = Mutex<[Data: any MessageContent]>([:])

  init(limit: Int) { self.limit = limit }

  func content(of payload: Data, _ decode: (Data) throws -> any MessageContent) throws -> any MessageContent {
    if let known = contents.withLock({ $0[payload] }) { return known }
    let content = try decode(payload)
    contents.withLock { contents in
      if contents.count >= limit { contents.removeAll(keepingCapacity: true) }
      contents[payload] = content
    }
    return content
  }
}

extension KindRegistry {
  /// The kinds built into Skein: text, image, video, audio, file, sticker, location, merged forward and recalled.
  public static var standard: KindRegistry {
    KindRegistry(
      TextContent.self, ImageContent.self, VideoContent.self, AudioContent.self, FileContent.self,
      StickerContent.self, LocationContent.self, MergedForwardContent.self, RecalledContent.self)
  }
}
