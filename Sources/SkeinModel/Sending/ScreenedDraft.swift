/// A draft after the participants have been called.
package struct ScreenedDraft: Sendable {
  package let draft: MessageDraft
  /// Whether a participant replaced the draft's content.
  package let isReplaced: Bool
  /// The failure with which the message is stored as failed; nil if the message may be sent.
  package let rejection: SendFailure?
}
