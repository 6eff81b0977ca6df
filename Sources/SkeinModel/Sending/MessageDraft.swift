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
