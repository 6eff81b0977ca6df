/// An account's participants, in the order in which they were registered.
struct SendParticipants: Sendable {
  let all: [any SendParticipant]

  init(_ all: [any SendParticipant] = []) { self.all = all }

  var isEmpty: Bool { all.isEmpty }

  /// Contribute → intercept → will send.
  ///
  /// - Throws: ``SendFailure`` for a message that is stopped and not kept.
  func pass(_ original: MessageDraft) throws -> PassedDraft {
    var draft = original
    for participant in all { participant.contribute(to: &draft) }
    for participant in all {
      guard case .reject(let failure, let keepsMessage) = participant.intercept(&draft) else { continue }
      guard keepsMessage else { throw failure }
      return PassedDraft(draft: draft, isReplaced: draft.content != original.content, rejection: failure)
    }
    for participant in all { participant.willSend(draft) }
    return PassedDraft(draft: draft, isReplaced: draft.content != original.content, rejection: nil)
  }

  func needPreparation(_ draft: MessageDraft) -> Bool { all.contains { $0.needsPreparation(draft) } }

  /// Why a message did not go, in the last word of the last participant.
  func modify(_ failure: SendFailure, of message: ChatMessage) -> SendFailure {
    all.reduce(failure) { $1.modify($0, of: message) }
  }

  func tell(_ end: SendEnd, of message: ChatMessage) {
    for participant in all { participant.didEnd(message, as: end.state) }
  }
}
