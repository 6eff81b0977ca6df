/// A draft after all participants have seen it.
package struct ScreenedDraft: Sendable {
  package let draft: MessageDraft
  /// Whether a participant replaced its content.
  package let isReplaced: Bool
  /// The reason to store it as failed; nil if it may be sent.
  package let rejection: SendFailure?
}
