extension MessageDraft {
  /// A draft made from a stored message.
  init(_ row: MessageRow, kinds: KindRegistry) {
    self.init(
      conversation: row.conversation, messageID: row.messageID, content: kinds.decode(row.kind, row.payload),
      parameters: StoredParameters.decode(row.parameters))
  }
}
