#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A quote as stored with its reply: JSON.
struct StoredQuote: Codable, Equatable {
  var message: MessageReference
  var id: LocalMessageID?
  /// The content of the quoted message; `kind` and `payload` are both nil if the content is unknown.
  var kind: MessageKind?
  var payload: Data?
  /// The server's revision of the quoted message, if that message is not stored here.
  var revision: Int64 = 0

  func quote(_ kinds: KindRegistry) -> Quote {
    let content = kind.flatMap { kind in payload.map { kinds.decode(kind, $0) } }
    return Quote(id: id, message: message, content: content)
  }

  /// Stores the server's content of the quoted message. Does nothing if the quoted message is stored here, or
  /// if the server returned no content. Known content is replaced only by newer content, as in ``MessageState``.
  mutating func merge(_ kind: MessageKind?, _ payload: Data?, revision: Int64) {
    guard id == nil, let kind, let payload else { return }
    if let known = self.kind, !MessageState.isNewer((kind, revision), than: (known, self.revision)) { return }
    (self.kind, self.payload, self.revision) = (kind, payload, max(revision, self.revision))
  }

  var encoded: Data? { try? StoredJSON.encode(self) }

  static func decode(_ stored: Data?) -> StoredQuote? {
    stored.flatMap { try? JSONDecoder().decode(Self.self, from: $0) }
  }
}
