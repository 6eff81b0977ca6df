/// An account's participants, in the order in which they were registered.
package struct SendParticipants: Sendable {
  package let all: [any SendParticipant]

  package init(_ all: [any SendParticipant] = []) { self.all = all }

  package var isEmpty: Bool { all.isEmpty }

  /// Calls all participants for the steps contribute → intercept → will send; stops at the first participant
  /// that rejects the message.
  ///
  /// - Throws: ``SendFailure`` for a message that is rejected and not kept.
  package func screen(_ original: MessageDraft) throws -> ScreenedDraft {
    var draft = original
    for participant in all { participant.contribute(to: &draft) }
    for participant in all {
      guard case .reject(let failure, let keepsMessage) = participant.intercept(&draft) else { continue }
      guard keepsMessage else { throw failure }
      return ScreenedDraft(draft: draft, isReplaced: draft.content != original.content, rejection: failure)
    }
    for participant in all { participant.willSend(draft) }
    return ScreenedDraft(draft: draft, isReplaced: draft.content != original.content, rejection: nil)
  }

  package func needPreparation(_ draft: MessageDraft) -> Bool { all.contains { $0.needsPreparation(draft) } }

  /// Returns the failure that results when all participants modify this failure in turn.
  package func modify(_ failure: SendFailure, of message: ChatMessage) -> SendFailure {
    all.reduce(failure) { $1.modify($0, of: message) }
  }

  package func tell(_ end: SendState, of message: ChatMessage) {
    for participant in all { participant.didEnd(message, as: end) }
  }
}
