/// A draft that has gone along the participants.
package struct ScreenedDraft: Sendable {
  package let draft: MessageDraft
  /// Whether its content is another than it was.
  package let isReplaced: Bool
  /// Why it is stored as failed; nil where it may go.
  package let rejection: SendFailure?
}
