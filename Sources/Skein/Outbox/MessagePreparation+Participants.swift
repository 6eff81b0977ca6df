#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinStorage
import Synchronization

extension MessagePreparation {
  /// Lets the participants prepare a message whose attachments are uploaded. The participants are called one
  /// after another, and each result is stored before the next call.
  func askParticipants(about message: LocalMessageID, by operation: OperationID) async throws {
    let found = try await store.read {
      (try $0.find(MessageRow.self, message), try $0.find(OperationRow.self, operation))
    }
    guard let row = found.0, let stored = found.1, stored.needsPreparation else { return }
    var done = stored.participantsDone
    var draft = MessageDraft(row, kinds: store.kinds)
    for participant in store.participants.all where !done.contains(participant.name) {
      guard participant.needsPreparation(draft) else { continue }
      let prepared = try await prepare(draft, by: participant)
      let payload = try draft.content == prepared.content ? nil : payload(of: prepared.content)
      draft = prepared
      done.append(participant.name)
      try await store.write(.powerCut) { [draft, done] in
        try PreparationSteps($0).prepared(operation, draft, payload: payload, done: done)
      }
    }
    // If a power cut loses this write, the loop runs again: it skips the participants in `participantsDone`,
    // and calls `needsPreparation` of the others again.
    try await store.write(.kill) { try PreparationSteps($0).complete(operation) }
  }

  /// Lets one participant prepare the message. Waits until the participant has finished, its time limit has
  /// passed, or this task is cancelled, for example because the message was cancelled. A participant that
  /// hangs blocks only its own task.
  private func prepare(_ draft: MessageDraft, by participant: any SendParticipant) async throws
    -> MessageDraft
  {
    let runtime = store.runtime
    let ended = Mutex<Result<MessageDraft, any Error>?>(nil)
    let doorbell = Doorbell()
    let turn = runtime.spawn {
      var draft = draft
      let result: Result<MessageDraft, any Error>
      do {
        try await participant.prepare(&draft)
        result = .success(draft)
      } catch {
        result = .failure(error)
      }
      ended.withLock { $0 = result }
      doorbell.ring()
    }
    defer { turn.cancel() }
    await doorbell.wait(until: runtime.uptime() + participant.preparationTimeout, runtime)
    try Task.checkCancellation()
    switch ended.withLock({ $0 }) {
    case .success(let prepared): return prepared
    case _ where participant.isPreparationOptional: return draft
    case .failure(let error): throw Self.failure(of: participant, error)
    case nil: throw BackendError(.transient, "\(participant.name) did not finish in time.")
    }
  }

  /// Converts a participant's error. The message fails after a ``SendFailure``, and after a ``BackendError``
  /// with `permanent` or `unsupported`. After any other error the participant is called again. No error is
  /// treated as a failure of the connection to the chat server.
  private static func failure(of participant: any SendParticipant, _ error: any Error) -> any Error {
    // A participant does not post, so its failure never leaves the outcome open.
    if let failure = error as? SendFailure {
      return failure.code == .outcomeUnknown ? SendFailure(.refused, failure.message) : failure
    }
    guard let error = error as? BackendError else {
      return BackendError(.transient, "\(participant.name) failed with \(type(of: error)).", cause: error)
    }
    switch error.code {
    case .permanent, .unsupported, .rateLimited:
      return BackendError(error.code, error.message, retryAfter: error.retryAfter, cause: error)
    default: return BackendError(.transient, error.message, retryAfter: error.retryAfter, cause: error)
    }
  }

  /// Encodes a participant's content for posting. All attachments of the content must be on the media server,
  /// since nothing is uploaded after this step.
  private func payload(of content: StoredContent) throws -> Data {
    guard content.attachments?.allSatisfy({ $0.media != nil }) ?? true else {
      throw SendFailure(.attachmentUnreadable, "A file was added after the attachments were uploaded.")
    }
    do {
      return try encode(content)
    } catch {
      throw SendFailure(.refused, "The content that replaced the message can't be encoded.")
    }
  }
}
