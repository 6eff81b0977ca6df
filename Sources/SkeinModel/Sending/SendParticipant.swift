/// A part of the app that checks or changes outgoing messages: one feature, one participant.
///
/// A message passes these steps: contribute → intercept → will send → *save* → prepare → *post* → modify, if
/// the message failed or is uncertain → *save* → did end. The engine performs the steps in italics. Each other step
/// calls the participants in the order of `ChatOptions.sendParticipants`; each participant receives the changes
/// of the previous participants. A rejection ends `intercept`. By default, a call does nothing.
///
/// 1. New messages, forwarded messages, and failed messages that the user sends again pass all steps. A message is sent
///    unchanged when the engine retries it, and when the user sends an uncertain message again.
/// 2. All calls except ``prepare(_:)`` are synchronous: they must return at once, without waiting for anything.
/// 3. Edits, recalls, reactions and flags pass no participant, whether the message is sent or not. The app
///    checks an edit before it calls `ChatMessenger.edit(_:to:)`.
///
/// ```swift
/// struct Verification: SendParticipant {
///   let account: VerifiedAccount
///
///   func contribute(to draft: inout MessageDraft) { draft.parameters["verified"] = account.level }
///   func intercept(_ draft: inout MessageDraft) -> SendDecision {
///     account.isVerified ? .proceed : .reject(SendFailure(.rejected, "Verify your account first."))
///   }
/// }
/// ```
public protocol SendParticipant: Sendable {
  /// The name under which the database stores that the participant has prepared a message; the type's name by
  /// default. The name must not change, and must differ from the names of the account's other participants.
  var name: String { get }

  /// Adds parameters to a message. Called in the isolation of the call that sends the message, before anything is
  /// stored.
  func contribute(to draft: inout MessageDraft)

  /// Accepts a message, or rejects it; may change the draft. Later participants do not intercept a rejected
  /// message. Called in the isolation of the call that sends the message, after all participants have
  /// contributed. The content may already contain this participant's changes, if the message was sent before
  /// or is a copy.
  func intercept(_ draft: inout MessageDraft) -> SendDecision

  /// Receives an accepted message in the form that will be stored; storing it may still fail. Called in the isolation
  /// of the call that sends the message.
  func willSend(_ draft: MessageDraft)

  /// Whether the message needs ``prepare(_:)``. Called before the message is stored, and again before it is prepared.
  func needsPreparation(_ draft: MessageDraft) -> Bool

  /// Prepares a message, for example by asking a server whether the text is allowed. The message is already
  /// in the list, and its attachments are on the server. Changes are stored before the next participant is
  /// called.
  ///
  /// After a failure or a crash the call may be repeated until one call has succeeded and its result is
  /// stored. A repeated call may begin while an earlier call is still running. Preparing the same draft twice
  /// must have the same effect as preparing it once. Runs on no actor, concurrently with calls for other
  /// messages. Later messages of the same conversation overtake the message only if the ``LanePolicy`` allows
  /// that. The call is cancelled, and not awaited, when the message is cancelled, the client stops, or
  /// ``preparationTimeout`` has passed.
  ///
  /// - Throws: ``SendFailure`` to fail the message with this failure. ``BackendError`` with `permanent` or
  ///   `unsupported` to fail the message with ``SendFailure/Code/refused``. After any other error the call is
  ///   repeated after a growing delay, or after ``BackendError/retryAfter`` if this pause is longer; the
  ///   message fails after `ChatOptions.giveUpAfter`. If ``isPreparationOptional`` is true, the message is
  ///   sent unchanged after any error.
  func prepare(_ draft: inout MessageDraft) async throws

  /// The time limit of one call of ``prepare(_:)``; a call that exceeds the limit counts as a temporary failure. 30 s
  /// by default.
  var preparationTimeout: Duration { get }

  /// Whether a message is sent unchanged if ``prepare(_:)`` throws or exceeds ``preparationTimeout``. False
  /// by default: the message then fails or is prepared again.
  var isPreparationOptional: Bool { get }

  /// Returns the reason to store and show for a message that failed or is uncertain; the status does not change.
  /// Called inside a transaction that blocks all other writes, and possibly more than once: use only the arguments.
  func modify(_ failure: SendFailure, of message: ChatMessage) -> SendFailure

  /// Receives the final state of a message, after the state was stored: `sent`, `failed`, `uncertain` or
  /// `cancelled`. Called on a task of the client, one call after the other; a slow call delays later calls,
  /// but does not delay messages.
  ///
  /// Each final state is reported at most once: a state that was stored just before a crash is not reported. A
  /// message that the user sends again, or an uncertain message whose outcome becomes known, reaches a final state
  /// again.
  func didEnd(_ message: ChatMessage, as end: SendState)
}

/// A participant's decision about a message to send.
public enum SendDecision: Sendable, Hashable {
  /// The message is sent, with the draft's current content.
  case proceed
  /// The message is not sent. If `keepsMessage` is true, the message is listed as failed with this failure, and the
  /// user may send it again. Otherwise nothing is stored, and `send` throws the failure.
  case reject(SendFailure, keepsMessage: Bool = true)
}

extension SendParticipant {
  /// The type's name.
  public var name: String { "\(Self.self)" }
  /// Adds nothing.
  public func contribute(to draft: inout MessageDraft) {}
  /// Accepts every message.
  public func intercept(_ draft: inout MessageDraft) -> SendDecision { .proceed }
  /// Does nothing.
  public func willSend(_ draft: MessageDraft) {}
  /// False.
  public func needsPreparation(_ draft: MessageDraft) -> Bool { false }
  /// Does nothing.
  public func prepare(_ draft: inout MessageDraft) async throws {}
  /// 30 s.
  public var preparationTimeout: Duration { .seconds(30) }
  /// False.
  public var isPreparationOptional: Bool { false }
  /// Returns the failure unchanged.
  public func modify(_ failure: SendFailure, of message: ChatMessage) -> SendFailure { failure }
  /// Does nothing.
  public func didEnd(_ message: ChatMessage, as end: SendState) {}
}
