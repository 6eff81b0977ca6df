/// A part of the app that checks or changes outgoing messages: one feature, one participant.
///
/// Every message passes these steps: contribute → intercept → will send → *save* → prepare → *post* → modify, if it
/// failed → *save* → did end. Each call goes to all participants, in the order of `ChatOptions.sendParticipants`;
/// each sees the changes of those before it. All calls have a default that does nothing.
///
/// 1. New messages, each copy of a forward, and failed messages that the user sends again pass all steps. Automatic
///    retries, and uncertain messages that are sent again, are sent unchanged.
/// 2. All calls but ``prepare(_:)`` are synchronous and local: they return at once and wait for nothing.
/// 3. Edits, recalls, reactions and pins of sent messages pass no participant. The app checks an edit before it calls
///    `ChatMessenger.edit(_:to:)`.
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
  /// The name of its ``prepare(_:)`` step in the database. It must not change, and it must differ from those of the
  /// account's other participants. The type's name by default.
  var name: String { get }

  /// Adds base parameters to a message. Called in the isolation of the sender's call, before anything is stored.
  func contribute(to draft: inout MessageDraft)

  /// Accepts a message, changed or not, or rejects it; later participants do not see a rejected message. Called in
  /// the isolation of the sender's call, after all have contributed. May receive a content that it has changed
  /// before.
  func intercept(_ draft: inout MessageDraft) -> SendDecision

  /// Receives an accepted message as it will be stored; storing it may still fail. Called in the isolation of the
  /// sender's call.
  func willSend(_ draft: MessageDraft)

  /// Whether the message needs ``prepare(_:)``. Called when the message is stored, and again before it is prepared.
  func needsPreparation(_ draft: MessageDraft) -> Bool

  /// Prepares a message that is already in the list and whose attachments are on the server, for example by asking a
  /// server whether its text is allowed. Changes are stored before the next participant is called.
  ///
  /// May run again after a failure or a crash, and even while an earlier call has not ended, until one has succeeded
  /// and its result is stored: preparing the same draft twice must have the same effect as once. Runs on no actor,
  /// concurrently with other conversations; no later message of its own conversation overtakes it, unless the
  /// ``LanePolicy`` allows that. The call is cancelled, and not awaited, when the message is cancelled, the client
  /// stops, or ``preparationTimeout`` has passed.
  ///
  /// - Throws: ``SendFailure`` to fail the message with it, ``BackendError`` with `permanent` or `unsupported` to
  ///   fail it as refused. After any other error the call is repeated, after ``BackendError/retryAfter`` or a growing
  ///   delay. If ``isPreparationOptional`` is true, the message is sent unchanged after any error.
  func prepare(_ draft: inout MessageDraft) async throws

  /// The time limit of one ``prepare(_:)`` before it counts as a temporary failure. 30 s by default.
  var preparationTimeout: Duration { get }

  /// Whether a message is sent unchanged if ``prepare(_:)`` throws or exceeds ``preparationTimeout``, instead of
  /// failing or being prepared again. False by default.
  var isPreparationOptional: Bool { get }

  /// Rewrites the reason why a message failed or is uncertain, before it is stored or shown; the status does not
  /// change. Called inside a transaction that blocks everything else, and possibly more than once: use only the
  /// arguments.
  func modify(_ failure: SendFailure, of message: ChatMessage) -> SendFailure

  /// Receives the end of sending a message, which the list already shows: `sent`, `failed`, `uncertain` or
  /// `cancelled`. Called on a task of the client, one end after the other; a slow call delays later calls, but no
  /// message.
  ///
  /// Each end is reported at most once: one just before a crash is stored, but not reported. A message that its user
  /// sends again, or an uncertain one whose outcome becomes known, ends again.
  func didEnd(_ message: ChatMessage, as end: SendState)
}

/// A participant's decision about a message to send.
public enum SendDecision: Sendable, Hashable {
  /// The message is sent, with the draft's current content.
  case proceed
  /// The message is not sent. If kept, it is listed as failed for this reason, and its user may try again; otherwise
  /// nothing is stored and `send` throws the failure.
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
  /// Half a minute.
  public var preparationTimeout: Duration { .seconds(30) }
  /// False.
  public var isPreparationOptional: Bool { false }
  /// Returns the failure unchanged.
  public func modify(_ failure: SendFailure, of message: ChatMessage) -> SendFailure { failure }
  /// Does nothing.
  public func didEnd(_ message: ChatMessage, as end: SendState) {}
}
