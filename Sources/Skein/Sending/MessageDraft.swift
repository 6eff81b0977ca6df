#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A message on its way to the server, as a ``SendParticipant`` sees and changes it.
public struct MessageDraft: Sendable, Hashable {
  /// Where it goes.
  public let conversation: ConversationID
  /// The name under which the server will know it.
  public let messageID: MessageID
  /// What it says; `.known(_:)` replaces it.
  public var content: StoredContent
  /// What the app's businesses tell the server, and through it the receivers, beside the content; the reference server takes
  /// as many bytes of both together as of a content.
  public var parameters: [String: String] = [:]

  /// Its type name on the wire.
  public var kind: MessageKind { content.kind }

  /// Describes a message; the engine makes the drafts that it hands out, and tests of participants make their own.
  public init(
    conversation: ConversationID, messageID: MessageID, content: StoredContent,
    parameters: [String: String] = [:]
  ) {
    self.conversation = conversation
    self.messageID = messageID
    self.content = content
    self.parameters = parameters
  }
}

extension MessageDraft {
  /// A message as it is stored.
  init(_ row: MessageRow, kinds: KindRegistry) {
    self.init(
      conversation: row.conversation, messageID: row.messageID, content: kinds.decode(row.kind, row.payload),
      parameters: StoredParameters.decode(row.parameters))
  }
}

/// A draft that has gone along the participants.
struct PassedDraft: Sendable {
  let draft: MessageDraft
  /// Whether its content is another than it was.
  let isReplaced: Bool
  /// Why it is stored as failed; nil where it may go.
  let rejection: SendFailure?
}

/// Parameters as they are stored: JSON with sorted keys, nothing where there are none.
enum StoredParameters {
  static func encode(_ parameters: [String: String]) -> Data? {
    if parameters.isEmpty { return nil }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Texts by texts: there is nothing in them that JSON can't hold.
    return try? encoder.encode(parameters)
  }

  static func decode(_ stored: Data?) -> [String: String] {
    stored.flatMap { try? JSONDecoder().decode([String: String].self, from: $0) } ?? [:]
  }
}
