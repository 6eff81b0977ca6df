#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A message's content as this app can read it.
public enum StoredContent: Sendable, Hashable {
  /// A registered kind, decoded.
  case known(any MessageContent)
  /// A kind that is not registered, or bytes that the kind's type can't decode. The bytes are kept, so that a later
  /// version of the app can decode them.
  case unknown(MessageKind, payload: Data)

  /// The content's type name on the wire.
  public var kind: MessageKind {
    switch self {
    case .known(let content): type(of: content).kind
    case .unknown(let kind, _): kind
    }
  }

  /// The content, if it has the requested type.
  public func `as`<Content: MessageContent>(_ type: Content.Type) -> Content? {
    if case .known(let content) = self { content as? Content } else { nil }
  }

  /// The users that the content mentions; nobody if this app can't decode the content.
  public var mentioned: Mentions {
    if case .known(let content) = self { content.mentioned } else { .nobody }
  }

  /// The text by which a search finds the content; nil if the content has no such text, or if this app can't
  /// decode the content.
  public var searchableText: String? {
    if case .known(let content) = self { content.searchableText } else { nil }
  }

  /// The content as plain text, for previews, alerts and lists that can't draw the kind.
  public var displayedText: String {
    switch self {
    case .known(let content): content.displayedText
    case .unknown(let kind, _): "[\(kind.rawValue)]"
    }
  }

  /// Whether both contents have the same type and equal values, or are unknown with the same kind and bytes.
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.known(let left), .known(let right)): isEqual(left, right)
    case (.unknown(let kind, let payload), .unknown(let otherKind, let otherPayload)):
      kind == otherKind && payload == otherPayload
    default: false
    }
  }

  /// Hashes the content, or the kind and the bytes of an unknown content.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .known(let content): content.hash(into: &hasher)
    case .unknown(let kind, let payload):
      hasher.combine(kind)
      hasher.combine(payload)
    }
  }
}

private func isEqual<Content: MessageContent>(_ left: Content, _ right: any MessageContent) -> Bool {
  guard let right = right as? Content else { return false }
  return left == right
}
